import { readFile, writeFile } from "node:fs/promises";
import { relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempTree, type TempTree } from "../../test/support/temp-tree.ts";
import type { Case, FormatName } from "../domain/suite.ts";
import { valueOf } from "../lib/document/node.ts";
import { fileNameProblem } from "../lib/file-name.ts";
import type { Format, LoadContext } from "./format.ts";
import { loadTargets, type LoadOptions } from "./load.ts";
import { plainCase } from "./plain-case.ts";
import type { Formats } from "./recognise.ts";

/**
 * Formats that know a document by a key called like them, `"likely"` or `"certain"`, and make a case of each name
 * in its list `cases`; `!name` makes a trigger case. They remember what they were given.
 */
function sampleFormats() {
  const contexts: (LoadContext & { path: string; by: FormatName })[] = [];
  const asked: FormatName[] = [];
  const sample = (name: FormatName): Format => ({
    name,
    schemas: {},
    recognise({ root }) {
      const sure = valueOf(root, name);
      if (sure?.kind !== "string") return null;
      return { dialect: "sample", confidence: sure.value === "certain" ? "certain" : "likely" };
    },
    load(document, context) {
      contexts.push({ ...context, path: document.path, by: name });
      const list = valueOf(document.root, "cases");
      if (list?.kind !== "array") {
        const at = document.at(document.root.start);
        context.report({ severity: "error", code: `${name}/no-cases`, message: "no cases", at, hint: null });
        return Promise.resolve(null);
      }
      const cases = list.elements.map((node): Case => {
        const id = node.kind === "string" ? node.value : "";
        const kind = id.startsWith("!") ? "trigger" : "task";
        const prompt = { kind: "turns", turns: [id] } as const;
        return plainCase({
          id: id.replace("!", ""),
          declaredId: id,
          kind,
          format: name,
          at: document.at(node.start),
          prompt,
        });
      });
      return Promise.resolve({
        path: document.path,
        format: name,
        dialect: "sample",
        skillName: null,
        description: null,
        cases,
        extras: {},
      });
    },
    write: () => ({ text: "", losses: [] }),
  });
  const entries = (["bmad", "clauditor", "skill-creator", "skillet"] as const).map(
    (name) =>
      [
        name,
        () => {
          asked.push(name);
          return Promise.resolve(sample(name));
        },
      ] as const,
  );
  return { formats: Object.fromEntries(entries) as Formats, contexts, asked };
}

async function load(tree: TempTree, targets: string[], options: Partial<LoadOptions> = {}) {
  const samples = sampleFormats();
  const { suites, diagnostics } = await loadTargets(targets, {
    cwd: tree.root,
    evals: null,
    skill: null,
    skilletDir: null,
    home: null,
    lint: null,
    formats: samples.formats,
    ...options,
  });
  return {
    suites,
    diagnostics,
    problems: diagnostics.map(
      ({ severity, code, at }) => `${severity} ${code} ${relative(tree.root, at!.file)}`,
    ),
    ...samples,
  };
}

const file = (format: FormatName, cases: string[], sure = "certain") =>
  JSON.stringify({ [format]: sure, cases });
const SKILL = "---\nname: tidy\ndescription: Tidies.\n---\nDo.\n";

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

describe("the format", () => {
  const reads = async (text: string, name = "evals/evals.json") => {
    await using tree = await tempTree({ "SKILL.md": SKILL, [name]: text });
    const { contexts, problems } = await load(tree, ["."]);
    return { by: contexts.map(({ by }) => by), problems };
  };
  const both = (one: string, other: string) => `{"bmad":"${one}","skill-creator":"${other}","cases":[]}`;

  it("is the one the content is certain about, whatever the place says", async () => {
    expect(await reads(both("likely", "certain"), "evals/triggers.json")).toEqual({
      by: ["skill-creator"],
      problems: [],
    });
    expect(await reads(both("certain", "likely"))).toEqual({ by: ["bmad"], problems: [] });
  });

  it("is the place's where the content leaves a choice", async () => {
    expect((await reads(both("likely", "likely"))).by).toEqual(["skill-creator"]);
    expect((await reads(both("likely", "likely"), "evals/triggers.json")).by).toEqual(["bmad"]);
    expect((await reads(both("certain", "certain"), "evals/triggers.json")).by).toEqual(["bmad"]);
  });

  it.each([
    ["SKILL.eval.json", "skill-creator"],
    ["evals/evals.json", "clauditor"],
  ] as const)("is told when %s holds what is %s's", async (name, format) => {
    expect(await reads(file(format, []), name)).toEqual({
      by: [format],
      problems: [`note load/other-format ${name}`],
    });
  });

  it("of an unknown file is the place's, which says what is missing", async () => {
    expect(await reads("{}")).toEqual({
      by: ["skill-creator"],
      problems: ["error skill-creator/no-cases evals/evals.json"],
    });
  });

  it.each([
    ['{"score":null,"version":1,"graded_at":null}', "a record of a grade, not a spec"],
    ['{"expectations":[{"text":"x","passed":true}]}', "a grading result of skill-creator"],
    ['{"run_summary":{}}', "a benchmark result of skill-creator"],
    ['{"total_tokens":1}', "timing or metrics of a run"],
    ['{"winner":"A","reasoning":"x"}', "a comparison result of skill-creator"],
    ['{"prompts":[],"tests":[]}', "a promptfoo configuration"],
    ['{"a":1,"b":2}', 'an object with the keys "a", "b"'],
    ["{}", "an empty object"],
    ["[]", "an empty list"],
    ['["a"]', "a list of strings"],
    [
      '[{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}]',
      'a list of objects with the keys "a", "b", "c", "d", "e" and 2 more',
    ],
    ["3", "a single value"],
  ])("is missing for %s, which looks like %s", async (text, kind) => {
    await using tree = await tempTree({ "SKILL.md": SKILL, "SKILL.eval.json": text });
    const { diagnostics } = await load(tree, ["."]);
    expect(diagnostics).toMatchObject([
      {
        severity: "error",
        code: "load/unknown-format",
        message: `this is not an eval file Assay can read: it looks like ${kind}`,
        at: { line: 1, column: 1 },
      },
    ]);
  });

  it("of further files in an evals directory is worth a note at most", async () => {
    await using tree = await tempTree({
      "SKILL.md": SKILL,
      "evals/evals.json": file("skill-creator", ["1"]),
      "evals/broken.json": "{",
      "evals/package.json": '{"dependencies":{}}',
      "evals/grading.json": '{"expectations":[]}',
    });
    const { suites, problems } = await load(tree, ["."]);
    expect(suites[0]!.cases).toHaveLength(1);
    expect(problems).toEqual([
      "note file/syntax evals/broken.json",
      "note load/unknown-format evals/package.json",
    ]);
  });
});

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
