import { expect, it } from "vitest";
import { type FormatName, NO_SETTINGS } from "../domain/suite.ts";
import { deadlineSeconds } from "./deadline.ts";

it.each([
  ["clauditor", 10, 20, 10],
  ["clauditor", null, 20, 20],
  ["clauditor", null, null, 300],
  ["bmad", 10, 20, 20],
  ["bmad", 10, null, 10],
  ["bmad", null, null, 600],
  ["skillet", 10, null, 10],
  ["skillet", null, null, 600],
  ["skill-creator", 10, 20, 10],
  ["skill-creator", null, null, 600],
] as [FormatName, number | null, number | null, number][])(
  "%s with --timeout %s and %s in the file: %s s",
  (format, flag, declared, expected) => {
    const one = { format, settings: { ...NO_SETTINGS, timeoutSeconds: declared } };
    expect(deadlineSeconds(one, flag)).toBe(expected);
    const fallback = flag === null && declared === null ? 77 : expected;
    expect(deadlineSeconds(one, flag, 77)).toBe(fallback);
  },
);
