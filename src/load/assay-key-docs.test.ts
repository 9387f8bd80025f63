import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { valueOf } from "../lib/document/node.ts";
import { INVALID, ROOT, type ShapeProblem } from "../lib/shape/shape.ts";
import { assayKeyShape } from "./assay-key.ts";
import { wordFor, wordNames } from "./assay-words.ts";
import { must, parse } from "./fixtures/assay-key.ts";

describe("docs/assay-key.md", () => {
  const page = readFileSync(new URL("../../docs/assay-key.md", import.meta.url), "utf8");
  const example = parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "");

  it("shows a key that loads, at the top and on a case", () => {
    const evals = valueOf(example, "evals");
    const [first] = evals?.kind === "array" ? evals.elements : [];
    for (const [node, scope] of [
      [example, "file"],
      [first, "task"],
    ] as const) {
      const key = node === undefined ? undefined : valueOf(node, "assay");
      const problems: ShapeProblem[] = [];
      const context = { path: ROOT, report: (problem: ShapeProblem) => problems.push(problem) };
      const read = assayKeyShape(scope).read(must(key), context);
      expect(problems).toEqual([]);
      expect(read === INVALID ? 0 : read.entries.length).toBeGreaterThan(1);
    }
  });
});

describe("docs/checks.md", () => {
  const page = readFileSync(new URL("../../docs/checks.md", import.meta.url), "utf8");

  it("lists every check type and no other", () => {
    const rows = page.slice(page.indexOf("| type |"), page.indexOf("## The text")).split("\n").slice(2);
    const listed = rows.flatMap((row) =>
      [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1]),
    );
    expect(new Set(listed)).toEqual(new Set(wordNames()));
    expect(listed.every((name) => wordFor(name ?? "") !== null)).toBe(true);
  });
});
