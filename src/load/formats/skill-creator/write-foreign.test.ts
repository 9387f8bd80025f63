import { describe, expect, it } from "vitest";
import type { Check } from "../../../domain/check.ts";
import { type Case, type EvalFile, NO_SETTINGS, plainCase } from "../../../domain/suite.ts";
import { skillCreator } from "./skill-creator.ts";
import { loadText } from "./testing.ts";
import { criterion } from "./fixtures/written.ts";

const AT = { file: "/nowhere/pdf.eval.json", line: 1, column: 1 };

function contains(id: string, needle: string): Check {
  return {
    id,
    layer: "L1",
    text: `the output contains ${JSON.stringify(needle)}`,
    appliesTo: "every-variant",
    origin: null,
    kind: "contains",
    needle,
    ignoreCase: false,
  };
}

function fires(expected: boolean): Check {
  return {
    id: "fires",
    layer: "trigger",
    text: "it fires",
    appliesTo: "every-variant",
    origin: null,
    kind: "fires",
    expected,
    skill: null,
    forbidden: [],
  };
}

function foreignCase(part: Partial<Case>): Case {
  const head = { id: "pdf", declaredId: null, kind: "task", format: "clauditor", at: AT } as const;
  return { ...plainCase({ ...head, prompt: { kind: "turns", turns: ["Do it"] } }), ...part };
}

function foreignFile(cases: readonly Case[], part: Partial<EvalFile> = {}): EvalFile {
  const head = { path: AT.file, format: "clauditor", dialect: "spec", skillName: "pdf" } as const;
  return { ...head, description: null, extras: {}, cases, ...part };
}

describe("files of other formats", () => {
  it("become the documented file", () => {
    const task = foreignCase({
      name: "orders",
      expectedOutput: "A report",
      files: [
        {
          kind: "path",
          declared: "data/a.csv",
          source: "/x/data/a.csv",
          target: "data/a.csv",
          problem: null,
        },
      ],
      checks: [criterion("expectation-1", "It is short"), criterion("tone", "It is kind")],
    });
    const written = skillCreator.write(foreignFile([task]));
    expect(written.losses).toEqual([]);
    expect(JSON.parse(written.text)).toEqual({
      skill_name: "pdf",
      evals: [
        {
          id: 1,
          name: "orders",
          prompt: "Do it",
          expected_output: "A report",
          files: ["data/a.csv"],
          expectations: ["It is short", { id: "tone", text: "It is kind" }],
        },
      ],
    });
  });

  it("keep checks that code decides under the assay key", async () => {
    const task = foreignCase({
      checks: [
        contains("has-x", "x"),
        criterion("c", "It is kind"),
        { ...contains("contains:y", "y"), appliesTo: "with-skill" },
      ],
      reference: { output: "x", files: {} },
    });
    const written = skillCreator.write(foreignFile([task]));
    expect(written.losses).toEqual([]);
    const { file } = await loadText(written.text);
    expect(file?.cases[0]?.reference).toEqual(task.reference);
    const claims = (checks: readonly Check[]) =>
      checks
        .map((check) => Object.assign({}, check, { origin: null }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(claims(file?.cases[0]?.checks ?? [])).toEqual(claims(task.checks));
  });

  it("never give two checks one id", async () => {
    const task = foreignCase({ checks: [contains("expectation-1", "x"), criterion("expectation-1", "y")] });
    const { errors, file } = await loadText(skillCreator.write(foreignFile([task])).text);
    expect(errors).toEqual([]);
    expect(file?.cases[0]?.checks.map(({ id }) => id)).toEqual(["expectation-1", "other-expectation-1"]);
  });

  it("write statements whose ids only count positions as texts", () => {
    const checks: Check[] = [
      { ...criterion("expected", "A"), appliesTo: "with-skill" },
      criterion("criterion-9", "B"),
    ];
    expect(JSON.parse(skillCreator.write(foreignFile([foreignCase({ checks })])).text)).toMatchObject({
      evals: [{ expectations: ["A", "B"], assay: { with_only: ["expectation-1"] } }],
    });
  });

  it("with trigger queries too become two files", () => {
    const trigger = foreignCase({
      id: "q1",
      kind: "trigger",
      checks: [fires(false)],
      prompt: { kind: "turns", turns: ["hi"] },
    });
    const written = skillCreator.write(foreignFile([foreignCase({}), trigger]));
    expect(written.losses).toEqual([]);
    expect(written.files?.map(({ name }) => name)).toEqual(["evals.json", "trigger-eval.json"]);
    expect(written.files?.[0]?.text).toBe(written.text);
    expect(JSON.parse(written.files?.[1]?.text ?? "")).toEqual([{ query: "hi", should_trigger: false }]);
  });

  it("with trigger queries alone become a bare list", () => {
    const trigger = foreignCase({
      kind: "trigger",
      checks: [{ ...fires(true), kind: "fires", expected: true, skill: "docx", forbidden: [] }],
    });
    const written = skillCreator.write(foreignFile([trigger]));
    expect(JSON.parse(written.text)).toEqual([
      { query: "Do it", should_trigger: true, assay: { skill: "docx" } },
    ]);
    expect(written.losses).toEqual(['skill-creator cannot express the file\'s key "skill_name"']);
  });

  it("say what they lose", () => {
    const task = foreignCase({
      prompt: { kind: "invocation", args: "a b" },
      setup: "touch x",
      settings: { ...NO_SETTINGS, timeoutSeconds: 9, syncTasks: true },
      files: [
        { kind: "path", declared: "data/a.csv", source: "/x/data/a.csv", target: "a.csv", problem: null },
      ],
      checks: [
        { ...criterion("c", "C"), origin: { weight: 3 } },
        {
          ...criterion("n", "3 venues"),
          layer: "L2",
          kind: "entries",
          section: "S",
          tier: "t",
          min: 3,
          max: null,
        },
      ],
      extras: { domain: "x", _mine: "kept" },
    });
    const written = skillCreator.write(foreignFile([task], { extras: { owner: "me" }, description: "d" }));
    const lost = [
      "the invocation of the skill by name",
      "the setup script",
      "the setting sync_tasks",
      'other details of the check "C"',
      "the place a.csv of the file data/a.csv",
      'the check "3 venues" (entries)',
      'the key "domain"',
    ];
    expect(written.losses).toEqual([
      'skill-creator cannot express the file\'s key "owner"',
      ...lost.map((noun) => `case pdf: skill-creator cannot express ${noun}`),
    ]);
    expect(JSON.parse(written.text)).toMatchObject({
      description: "d",
      evals: [{ id: 1, name: "pdf", prompt: "/pdf a b", _mine: "kept" }],
    });
  });
});
