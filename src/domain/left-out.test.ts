import { expect, it } from "vitest";
import { leftOut } from "./left-out.ts";
import type { LeftOutStatus } from "./run.ts";

it.each<[LeftOutStatus, number | null, boolean]>([
  ["rate-limit", 429, true],
  ["rate-limit", null, true],
  ["network", null, true],
  ["api", null, true],
  ["api", 500, true],
  ["api", 529, true],
  ["api", 408, true],
  ["api", 409, true],
  ["api", 400, false],
  ["api", 404, false],
  ["api", 410, false],
  ["auth", 401, false],
  ["budget", 402, false],
  ["setup-skipped", null, false],
  ["invalid", null, false],
  ["interrupted", null, false],
])("%s with status %s may pass: %s", (status, httpStatus, mayPass) => {
  expect(leftOut(status, "why", httpStatus)).toEqual({ status, message: "why", mayPass });
});
