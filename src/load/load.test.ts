import { relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { fileNameProblem } from "../lib/file-name.ts";
import { load, file, SKILL } from "./fixtures/sample-formats.ts";

describe("a suite", () => {
  it("joins the eval files of one skill", async () => {
    await using tree = await tempTree({
      ".git/x": "",
      "tidy/SKILL.md": SKILL,
      "tidy/SKILL.eval.json": file("clauditor", ["tidy", "!q1"]),
      "tidy/evals/evals.json": file("skill-creator", ["1", "2"]),
      "tidy/evals/queries.json": file("skill-creator", ["!1", "!q1"]),
    });
    const { suites, problems, contexts } = await load(tree, ["tidy"]);
    expect(problems).toEqual([]);
    expect(suites).toHaveLength(1);
    expect(suites[0]).toMatchObject({
      name: "tidy",
      skill: { name: "tidy", file: tree.path("tidy/SKILL.md") },
    });
    expect(suites[0]!.files.map(({ path, format }) => [relative(tree.root, path), format])).toEqual([
      ["tidy/SKILL.eval.json", "clauditor"],
      ["tidy/evals/evals.json", "skill-creator"],
      ["tidy/evals/queries.json", "skill-creator"],
    ]);
    expect(suites[0]!.cases.map(({ id }) => id)).toEqual([
      "tidy",
      "trigger-q1",
      "1",
      "2",
      "trigger-1",
      "queries-trigger-q1",
    ]);
    expect(contexts.map(({ skill, projectRoot }) => [skill?.name, projectRoot])).toEqual(
      Array.from({ length: 3 }, () => ["tidy", tree.root]),
    );
  });

  it("has ids that differ in more than the case of letters, whatever the files say", async () => {
    const [long, wide] = ["x".repeat(120), "漢".repeat(40)];
    const id = fc.constantFrom("a", "A", "b", "!a", "!A", "trigger-a", "more-a", "1", long, `!${long}`, wide);
    const names = fc.uniqueArray(fc.constantFrom("evals", "more", "MORE", "y".repeat(200), wide), {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(names, fc.array(fc.array(id), { minLength: 4, maxLength: 4 }), async (files, ids) => {
        const texts = files.map((name, at) => [`evals/${name}.json`, file("skill-creator", ids[at]!)]);
        await using tree = await tempTree({ "SKILL.md": SKILL, ...Object.fromEntries(texts) });
        const [suite] = (await load(tree, ["."])).suites;
        const folded = suite!.cases.map((one) => one.id.toLowerCase());
        expect(new Set(folded).size).toBe(folded.length);
        expect(folded.filter((one) => !one.startsWith("!") && fileNameProblem(one) !== null)).toEqual([]);
        expect(folded).toHaveLength(suite!.files.flatMap(({ cases }) => cases).length);
      }),
      { numRuns: 30 },
    );
  });

  it("is one for a directory of Skillet files, with its directory passed on", async () => {
    await using tree = await tempTree({
      "set/a/001.yaml": "skillet: certain\ncases: [a-001]\n",
      "set/b/001.yml": "skillet: certain\ncases: [b-001]\n",
    });
    const { suites, problems, contexts, asked } = await load(tree, ["set"]);
    expect(problems).toEqual([]);
    expect(suites).toMatchObject([{ name: "set", skill: null, cases: [{ id: "a-001" }, { id: "b-001" }] }]);
    expect(contexts.map(({ evalsDirectory }) => evalsDirectory)).toEqual([
      tree.path("set"),
      tree.path("set"),
    ]);
    expect(new Set(asked)).toEqual(new Set(["skillet"]));
  });

  it("has a name that can be a directory, and of two with one name the second gets another", async () => {
    await using tree = await tempTree({
      "a/tidy/SKILL.md": SKILL,
      "b/tidy/SKILL.md": SKILL,
      "c/.. odd?/SKILL.md": "Do.\n",
    });
    const { suites, problems } = await load(tree, ["."]);
    expect(suites.map(({ name }) => name)).toEqual(["tidy", "b-tidy", "odd"]);
    expect(problems).toContain("note load/same-name b/tidy/SKILL.md");
  });

  it("is there for a skill without evals, with a note", async () => {
    await using tree = await tempTree({ "tidy/SKILL.md": SKILL });
    const { suites, problems } = await load(tree, ["tidy"]);
    expect(suites).toMatchObject([{ name: "tidy", files: [], cases: [] }]);
    expect(problems).toEqual(["note load/no-evals tidy/SKILL.md"]);
  });

  it("shares one note with others of a directory of many", async () => {
    await using tree = await tempTree(
      Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((name) => [`${name}/SKILL.md`, "Do.\n"])),
    );
    const { diagnostics } = await load(tree, ["."]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "no eval files were found for a, b, c, d, e and 2 more",
    ]);
  });

  it("takes --skill for evals that lie anywhere, and says when there is none", async () => {
    await using tree = await tempTree({ "x/evals.json": file("bmad", ["A1"]), "tidy/SKILL.md": SKILL });
    expect((await load(tree, ["x"], { skill: "tidy" })).suites).toMatchObject([
      { name: "tidy", skill: { root: tree.path("tidy") }, cases: [{ id: "A1" }] },
    ]);
    const { suites, problems } = await load(tree, ["x"]);
    expect(suites).toMatchObject([{ name: "x", skill: null }]);
    expect(problems).toEqual(["note load/no-skill x/evals.json"]);
    expect((await load(tree, ["x"], { skill: "x" })).problems).toContain("error skill/no-skill-file x");
  });

  it("is not made twice of evals that a skill of another directory name claims", async () => {
    await using tree = await tempTree({
      ".git/x": "",
      "checkout/SKILL.md": SKILL,
      "evals/tidy/evals.json": file("bmad", ["A1"]),
    });
    const { suites, contexts } = await load(tree, ["."]);
    expect(suites).toMatchObject([{ name: "tidy", cases: [{ id: "A1" }] }]);
    expect(contexts).toHaveLength(1);
  });
});

it("reads thousands of files, the specs of one directory and the skills of many", async () => {
  const names = Array.from({ length: 1000 }, (_, index) => String(index).padStart(4, "0"));
  await using tree = await tempTree(
    Object.fromEntries(
      names.flatMap((name) => [
        [`specs/${name}.eval.json`, file("clauditor", [name])],
        [`commands/${name}.md`, "Do.\n"],
        [`commands/${name}.eval.json`, file("clauditor", [name])],
      ]),
    ),
  );
  const { suites, problems } = await load(tree, ["specs", "commands"]);
  expect(suites).toHaveLength(2000);
  expect(problems.filter((problem) => !problem.startsWith("note load/same-name"))).toEqual([
    "note load/no-skill specs/0000.eval.json",
  ]);
});
