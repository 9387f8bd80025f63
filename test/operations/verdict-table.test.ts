import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROW = /^\| (?<what>[^|]+) \| `(?<file>[^`]+)`(?:: (?<name>[^|]+))? \|$/;

const root = new URL("../../", import.meta.url);
const [, table = ""] = readFileSync(new URL("docs/design/verdicts.md", root), "utf8").split(
  "\n## Where each requirement is shown\n",
);
const rows = table.split("\n").flatMap((line) => {
  const { what, file, name = "" } = ROW.exec(line)?.groups ?? {};
  return what === undefined || file === undefined ? [] : [{ what, file, name }];
});

it("shows every finding", () => {
  const found = new Set(rows.flatMap(({ what }) => what.match(/\bV\d+\b/g) ?? []));
  expect([...found].toSorted()).toEqual(Array.from({ length: 16 }, (_, at) => `V${at + 1}`).toSorted());
});

it.each(rows)("$what: by a test that there is", ({ file, name }) => {
  expect(readFileSync(new URL(file, root), "utf8")).toContain(name);
});
