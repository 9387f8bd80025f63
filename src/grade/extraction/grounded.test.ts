import { expect, it } from "vitest";
import { groundOf } from "./grounded.ts";

it.each([
  ["9511", "zip 95110", false],
  ["5110", "zip 95110", false],
  ["95110", "zip 95110", true],
  ["95110", "zip 95110-1234", true],
  ["1234", "zip 95110-1234", true],
  ["9511", "95110, then 9511.", true],
  ["(408) 298-5437", "call 408.298.5437", true],
  ["408 298-543", "call 408.298.5437", false],
  ["渋谷区", "東京都渋谷区1番", true],
  ["happyhollow.org", "https://happyhollow.org/", true],
  ["Hollow, Happy", "Happy Hollow", true],
  ["", "x", true],
  ["Nowhere", "x", false],
])("%j in %j stands there: %s", (value, output, expected) => {
  expect(groundOf(output).holds(value)).toBe(expected);
});
