import { expect, it } from "vitest";
import { confidence, points, pText } from "./words.ts";

it.each([
  [0.0004, 0.05, "< 0.001"],
  [0.0312, 0.05, "= 0.031"],
  [0.05, 0.05, "= 0.050"],
  [0.0496, 0.05, "= 0.050"],
  [0.0504, 0.05, "= 0.0504"],
  [0.050004, 0.05, "= 0.050004"],
  [0.0125, 0.0125, "= 0.0125"],
  [0.0004, 0.0003125, "= 0.0004"],
])("a p-value of %d is printed on its own side of %d", (pValue, alpha, text) => {
  expect(pText(pValue, alpha)).toBe(text);
});

it.each([
  [0.634, "+63"],
  [-0.005, "-0.5"],
  [0.0004, "+0.04"],
  [-0.0004, "-0.04"],
  [-1.85e-17, "+0"],
  [0, "+0"],
])("a share of %d is %s points: nothing only where it is nothing", (share, text) => {
  expect(points(share)).toBe(text);
});

it.each([
  [0.05, "95 %"],
  [0.0125, "98.75 %"],
  [0.0025, "99.75 %"],
  [0.05 / 3, "98.33 %"],
])("an alpha of %d is a confidence of %s", (alpha, text) => {
  expect(confidence(alpha)).toBe(text);
});
