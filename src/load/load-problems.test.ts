import { readFile, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { load, SKILL } from "./fixtures/sample-formats.ts";

describe("problems", () => {
  it("of all files come at once, in the order of the files", async () => {
    await using tree = await tempTree({
      "a/SKILL.md": "---\ndescription: a: b\n---\nDo.\n",
      "a/evals/evals.json": "{,}",
      "a/evals/triggers.json": '{"x":1}',
      "b/SKILL.md": SKILL,
      "b/SKILL.eval.json": '{"clauditor":"certain"}',
      "b/evals/evals.json": Buffer.from("\uFEFF{}", "utf16le"),
    });
    const { problems } = await load(tree, ["."]);
    expect(problems).toEqual([
      "error skill/frontmatter-unquoted-colon a/SKILL.md",
      "error file/syntax a/evals/evals.json",
      "error bmad/no-cases a/evals/triggers.json",
      "error clauditor/no-cases b/SKILL.eval.json",
      "error file/utf-16 b/evals/evals.json",
    ]);
  });

  it("include lint's where it is asked for, without saying anything twice", async () => {
    await using tree = await tempTree({ "tidy/SKILL.md": "---\ndescription: a: b\n---\nDo.\n" });
    const unlinted = await load(tree, ["tidy"]);
    expect(unlinted.problems).toEqual([
      "error skill/frontmatter-unquoted-colon tidy/SKILL.md",
      "note load/no-evals tidy/SKILL.md",
    ]);
    const linted = await load(tree, ["tidy"], { lint: "spec" });
    expect(linted.problems).toEqual(unlinted.problems);
    await writeFile(tree.path("tidy/SKILL.md"), "---\nname: other\n---\nDo.\n");
    expect(
      (await load(tree, ["tidy"], { lint: "spec" })).problems.filter((one) => one.includes("skill/")),
    ).toEqual([
      "error skill/description-missing tidy/SKILL.md",
      "error skill/name-directory-mismatch tidy/SKILL.md",
    ]);
  });

  it.each([
    ["a truncated file", '{"cases":["a"', "file/syntax"],
    ["a key twice", '{"cases":[],"cases":[]}', "file/duplicate-key"],
    ["deep nesting", "[".repeat(100_000), "file/too-deep"],
    ["__proto__", '{"__proto__":{},"cases":[]}', "file/forbidden-key"],
    ["a path in place of the file", "../evals/evals.json", "file/symlink-stub"],
    ["a link to itself", "->evals.json", "file/symlink-loop"],
  ])("name the true reason for %s", async (_, text, code) => {
    await using tree = await tempTree({ "SKILL.md": SKILL, "evals/evals.json": text });
    const { diagnostics } = await load(tree, ["."]);
    expect(diagnostics.map((one) => one.code)).toContain(code);
    expect(diagnostics.some((one) => one.severity === "error")).toBe(true);
  });

  it("are diagnostics and never exceptions, whatever a file holds", async () => {
    await using tree = await tempTree({ "SKILL.md": SKILL, "evals/x": "", "x.yaml": "" });
    const text = fc.oneof(fc.string(), fc.json(), fc.string({ unit: "binary" }));
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom("evals/evals.json", "SKILL.md", "x.yaml"),
        async (content, name) => {
          await writeFile(tree.path(name), content);
          await load(tree, [name]);
          expect(await readFile(tree.path(name), "utf8")).toBeDefined();
        },
      ),
      { numRuns: 200 },
    );
  });
});
