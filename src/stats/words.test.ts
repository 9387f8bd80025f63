import { expect, it } from "vitest";
import { pText } from "./words.ts";

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
