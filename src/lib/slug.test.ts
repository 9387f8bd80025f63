import { expect, it } from "vitest";
import { slugOf } from "./slug.ts";

it.each([
  ["Write a report of sales.csv, please, and keep it short", "write-a-report-of-sales-csv"],
  ["  Grüße  Ada!  ", "gru-e-ada"],
  ["ファイル", "case"],
  ["", "case"],
  [`${"long".repeat(20)} word`, "long".repeat(12) + "lo"],
])("%j is called %s", (text, name) => {
  expect(slugOf(text, "case")).toBe(name);
});
