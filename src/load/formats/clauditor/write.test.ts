import { describe, expect, it } from "vitest";
import type { Check, Claim } from "../../../domain/check.ts";
import { type Case, type EvalFile, NO_SETTINGS, plainCase } from "../../../domain/suite.ts";
import { clauditor } from "./clauditor.ts";
import { loadText } from "./fixtures/load-text.ts";

const AT = { file: "/x/evals.json", line: 1, column: 1 };

function foreign(id: string, rest: Partial<Case> = {}): Case {
  const head = plainCase({
    id,
    declaredId: null,
    kind: "task",
    format: "skill-creator",
    at: AT,
    prompt: { kind: "turns", turns: ["Do it"] },
  });
  return { ...head, ...rest };
}

function check(id: string, claim: Claim, rest: Partial<Check> = {}): Check {
  const head = { id, layer: "L1", text: `says ${id}`, appliesTo: "every-variant", origin: null } as const;
  return { ...head, ...claim, ...rest } as Check;
}

function fileOf(cases: readonly Case[], rest: Partial<EvalFile> = {}): EvalFile {
  return {
    path: "/x/evals.json",
    format: "skill-creator",
    dialect: "evals",
    skillName: "demo",
    description: null,
    cases,
    extras: {},
    ...rest,
  };
}

const PROMPT = "case a: the prompt becomes the skill's arguments";

describe("writing another format's cases", () => {
  it("says that a prompt is read as arguments", () => {
    const written = clauditor.write(fileOf([foreign("a")]));
    expect(JSON.parse(written.text)).toEqual({ skill_name: "demo", test_args: "Do it" });
    expect(written.losses).toEqual([PROMPT]);
  });

  it.each<[string, Partial<Case>, readonly string[]]>([
    ["a name", { name: "First" }, ['the name "First"']],
    ["an id", { declaredId: 7 }, ["the id 7"]],
    ["an expected output", { expectedOutput: "x" }, ["the expected output"]],
    ["scripts", { setup: "a", teardown: "b" }, ["the setup script", "the teardown script"]],
    ["overlays", { overlays: ["/o"] }, ["the overlay directories"]],
    ["an inline file", { files: [{ kind: "inline", target: "a", content: "b" }] }, ["the inline files a"]],
    ["unknown keys", { extras: { weight: 1, _why: 2 } }, ['the key "weight"']],
    ["turns", { prompt: { kind: "turns", turns: ["a", "b"] } }, ["the separate turns"]],
  ])("names %s as lost", (_what, rest, nouns) => {
    const { losses } = clauditor.write(fileOf([foreign("a", rest)]));
    expect(losses).toEqual([...nouns.map((noun) => `case a: clauditor cannot express ${noun}`), PROMPT]);
  });

  it("names what flattening does to files", () => {
    const path = (declared: string, target: string, problem: string | null = null) =>
      ({
        kind: "path",
        declared,
        source: problem === null ? `/x/${declared}` : null,
        target,
        problem,
      }) as const;
    const files = [
      path("a.csv", "a.csv"),
      path("in/b.csv", "in/b.csv"),
      path("in/a.csv", "in/a.csv"),
      path("~/c.csv", "c.csv", "starts in a home directory"),
    ];
    const written = clauditor.write(fileOf([foreign("a", { files })]));
    expect(JSON.parse(written.text)).toMatchObject({
      input_files: ["a.csv", "in/b.csv", "in/a.csv", "~/c.csv"],
    });
    expect(written.losses).toEqual([
      "case a: clauditor cannot express the directory of in/b.csv",
      "case a: clauditor cannot express a second file named a.csv",
      "case a: clauditor cannot express the file ~/c.csv, which cannot be staged",
      PROMPT,
    ]);
  });

  it("keeps the checks it has words for, and the rest under the assay key", async () => {
    const checks = [
      check("has", { kind: "contains", needle: "x", ignoreCase: false }),
      check("any-case", { kind: "contains", needle: "x", ignoreCase: true }),
      check("start", { kind: "starts_with", needle: "x", ignoreCase: false }),
      check("tool", { kind: "tool_called", tool: "Bash", arguments: null, count: 1 }),
      check(
        "count",
        { kind: "min_count", pattern: "x", count: 2 },
        { text: "the output matches /x/ at least 2 times" },
      ),
      check("good", { kind: "criterion" }, { layer: "L3", text: "Is it good?" }),
    ];
    const written = clauditor.write(fileOf([foreign("a", { checks })]));
    expect(written.losses).toEqual([PROMPT]);
    expect(JSON.parse(written.text)).toEqual({
      skill_name: "demo",
      test_args: "Do it",
      assertions: [
        { id: "has", type: "contains", name: "says has", needle: "x" },
        { id: "count", type: "min_count", pattern: "x", count: 2 },
      ],
      grading_criteria: [{ id: "good", criterion: "Is it good?" }],
      assay: {
        checks: [
          { type: "contains", id: "any-case", text: "says any-case", needle: "x", ignore_case: true },
          { type: "starts_with", id: "start", text: "says start", needle: "x" },
          { type: "tool_called", id: "tool", text: "says tool", tool: "Bash" },
        ],
      },
    });
    const { file, lines } = await loadText(written.text);
    expect(lines).toEqual([]);
    const spoken = (all: readonly Check[]) =>
      new Set(all.map(({ id, kind, text }) => `${id} ${kind} ${text}`));
    expect(spoken(file?.cases[0]?.checks ?? [])).toEqual(spoken(checks));
  });

  it("names what another file says about a check beyond its claim", () => {
    const origin = { text: "Is it good?", weight: 2 };
    const checks = [check("good", { kind: "criterion" }, { layer: "L3", text: "Is it good?", origin })];
    expect(clauditor.write(fileOf([foreign("a", { checks })])).losses).toEqual([
      'case a: clauditor cannot express other details of the check "Is it good?"',
      PROMPT,
    ]);
  });

  it("writes one file for each task, with the trigger queries in the first", async () => {
    const trigger = foreign("q1", {
      kind: "trigger",
      prompt: { kind: "turns", turns: ["Find it"] },
      checks: [
        check("fires", { kind: "fires", expected: true, skill: null, forbidden: [] }, { layer: "trigger" }),
      ],
    });
    const written = clauditor.write(fileOf([foreign("a"), trigger, foreign("b")]));
    expect(written.files?.map(({ name, text }) => [name, JSON.parse(text)])).toEqual([
      [
        "a.eval.json",
        { skill_name: "demo", test_args: "Do it", trigger_tests: { should_trigger: ["Find it"] } },
      ],
      ["b.eval.json", { skill_name: "demo", test_args: "Do it" }],
    ]);
    expect(written.text).toBe(written.files?.[0]?.text);
  });

  it("names what a trigger query says beyond its text", () => {
    const fires = { kind: "fires", expected: false, skill: "rival", forbidden: [] } as const;
    const trigger = foreign("q1", {
      kind: "trigger",
      declaredId: "q-one",
      checks: [check("fires", fires, { layer: "trigger" }), check("tone", { kind: "criterion" })],
      mcpServers: {},
      extras: { note: 1 },
      settings: { ...NO_SETTINGS, timeoutSeconds: 5 },
    });
    const written = clauditor.write(fileOf([trigger]));
    expect(JSON.parse(written.text)).toEqual({
      skill_name: "demo",
      timeout: 5,
      trigger_tests: { should_not_trigger: ["Do it"] },
    });
    expect(written.losses).toEqual(
      [
        "the setting timeout_seconds",
        "which other skill should fire",
        'the check "says tone" on a trigger query',
        "the MCP servers of a trigger query",
        'the id "q-one"',
        'the key "note"',
      ].map((noun) => `case q1: clauditor cannot express ${noun}`),
    );
  });

  it("names the file's own keys as lost, but keeps the author's notes", () => {
    const written = clauditor.write(fileOf([foreign("a")], { extras: { version: 2, _why: "x" } }));
    expect(JSON.parse(written.text)).toMatchObject({ _why: "x" });
    expect(written.losses).toEqual(['evals.json: clauditor cannot express the key "version"', PROMPT]);
  });
});
