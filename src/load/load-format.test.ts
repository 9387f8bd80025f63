import { describe, expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { load, file, SKILL } from "./fixtures/sample-formats.ts";

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
