import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check } from "../../../domain/check.ts";
import { type Case, type EvalFile, NO_SETTINGS, plainCase } from "../../../domain/suite.ts";
import { fileNameProblem } from "../../../lib/file-name.ts";
import { bmad } from "./bmad.ts";
import { CASE, PLACES, loadText, evals, roundTrip } from "./fixtures/load.ts";

describe("writing", () => {
  it.each<[string, unknown, string]>([
    [
      "evals",
      {
        skill_name: "brief",
        _design_notes: ["why", 1],
        other: { a: null },
        ...evals(
          { files: ["a/b.md"], timeout: 9, expected_output: "", _pattern: "x", note: [1] },
          {
            id: 7,
            assay: { checks: [{ type: "max_turns", limit: 3 }], with_only: ["expectation-1"], _why: 1 },
          },
        ),
        assay: { checks: [{ type: "no_denied_tools" }], mcp_servers: { s: { command: "x" } } },
      },
      PLACES.evals,
    ],
    ["cases", { skill: "s", notes: "n", cases: [{ ...CASE, state_prefix: "p", _x: 1 }] }, PLACES.cases],
    ["an empty state", { cases: [{ ...CASE, state_prefix: "" }] }, PLACES.cases],
    ["a list of cases", [CASE, { ...CASE, id: 1 }], PLACES.cases],
    [
      "triggers",
      [
        { query: "a", should_trigger: true, _why: "x" },
        { query: "b", should_trigger: false, reason: "r", assay: { skill: "other", forbidden: ["third"] } },
      ],
      PLACES.triggers,
    ],
    ["no evals", { evals: [] }, PLACES.evals],
    ["no triggers", [], PLACES.triggers],
  ])("round-trips %s", async (_, content, path) => {
    const { before, after } = await roundTrip(JSON.stringify(content), { path });
    expect(after).toEqual(before);
  });

  const words = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() !== "");
  const own = fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown);
  const safeJson = own.filter((value) => !JSON.stringify(value).includes("__proto__"));
  const id = fc.oneof(
    fc.nat(),
    words.filter((name) => fileNameProblem(name) === null),
  );
  const common = {
    id,
    files: fc.array(fc.constantFrom("a.md", "b/c.md", "./d", "e/../f")),
    timeout: fc.integer({ min: 1, max: 1e6 }),
    _own: safeJson,
    unknown: safeJson,
  };
  const statements = fc.array(words, { minLength: 1, maxLength: 3 });
  const evalEntry = fc.record(
    { ...common, prompt: words, expectations: statements, expected_output: fc.string() },
    { requiredKeys: ["id", "prompt", "expectations"] },
  );
  const caseEntry = fc.record(
    { ...common, input: words, rubric: statements, state_prefix: fc.string() },
    { requiredKeys: ["id", "input", "rubric"] },
  );
  const byId = { selector: (entry: { id: unknown }) => String(entry.id), minLength: 1, maxLength: 3 };
  const trigger = fc.record(
    { query: words, should_trigger: fc.boolean(), _own: safeJson },
    { requiredKeys: ["query", "should_trigger"] },
  );

  it.each([
    [
      PLACES.evals,
      fc.record(
        { evals: fc.uniqueArray(evalEntry, byId), skill_name: words, _design_notes: safeJson },
        { requiredKeys: ["evals"] },
      ),
    ],
    [PLACES.cases, fc.uniqueArray(caseEntry, byId).map((cases) => ({ cases }))],
    [PLACES.triggers, fc.array(trigger, { minLength: 1 })],
  ])("round-trips any valid %s", async (path, content: fc.Arbitrary<unknown>) => {
    await fc.assert(
      fc.asyncProperty(content, async (value) => {
        const { before, after } = await roundTrip(JSON.stringify(value), { path });
        expect(after).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  const check = (rest: Partial<Check> & Pick<Check, "id" | "kind">): Check =>
    ({ layer: "L1", text: rest.id, appliesTo: "every-variant", origin: null, ...rest }) as Check;
  const criterion = check({ id: "expected", kind: "criterion", layer: "L3", text: "It went" });
  const foreignCase = (part: Partial<Case>): Case => ({
    ...plainCase({
      id: "001",
      declaredId: null,
      kind: "task",
      format: "skillet",
      at: { file: "/x/001.yaml", line: 1, column: 1 },
      prompt: { kind: "turns", turns: ["Go"] },
    }),
    checks: [criterion],
    ...part,
  });
  const foreign = (part: Partial<Case>, file: Partial<EvalFile> = {}): EvalFile => ({
    path: "/x/001.yaml",
    format: "skillet",
    dialect: "eval",
    skillName: null,
    description: null,
    extras: {},
    cases: [foreignCase(part)],
    ...file,
  });

  it("carries what BMad lacks in the assay key", async () => {
    const written = bmad.write(
      foreign({
        checks: [criterion, check({ id: "expectation-1", kind: "contains", needle: "a", ignoreCase: true })],
        mcpServers: { s: { command: "x" } },
        extras: { _note: 1 },
      }),
    );
    expect(written.losses).toEqual([]);
    const { file, diagnostics } = await loadText(written.text);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(file?.cases[0]?.checks).toMatchObject([
      { id: "expectation-1", kind: "criterion", text: "It went" },
      { id: "other-expectation-1", kind: "contains", needle: "a", ignoreCase: true },
    ]);
    expect(file?.cases[0]).toMatchObject({ mcpServers: { s: { command: "x" } }, extras: { _note: 1 } });
  });

  it.each<[string, Partial<Case>, Partial<EvalFile>, string[]]>([
    ["several turns", { prompt: { kind: "turns", turns: ["a", "b"] } }, {}, ["the separate turns"]],
    ["scripts", { setup: "a", teardown: "b" }, {}, ["the setup script", "the teardown script"]],
    ["names", { name: "n" }, {}, ['the name "n"']],
    ["settings", { settings: { ...NO_SETTINGS, gradingModel: "m" } }, {}, ["the setting grading_model"]],
    ["keys", { extras: { timestamp: "2025-01-01", _x: 1 } }, {}, ['the key "timestamp"']],
    ["overlays", { overlays: ["/o"] }, {}, ["the overlay directories"]],
    ["an invocation", { prompt: { kind: "invocation", args: "a" } }, {}, ["the invocation of the skill"]],
    ["inline files", { files: [{ kind: "inline", target: "a", content: "" }] }, {}, ["the inline files a"]],
    [
      "absolute files",
      { files: [{ kind: "path", declared: "/a", source: "/a", target: "a", problem: null }] },
      {},
      ['the file "/a"'],
    ],
    ["declared check ids", { checks: [{ ...criterion, id: "mine" }] }, {}, ['the check\'s id "mine"']],
    [
      "metadata",
      { checks: [{ ...criterion, origin: { text: "It went", type: "x" } }] },
      {},
      ["other details"],
    ],
    ["no checks", { checks: [] }, {}, ["so a general one is added"]],
    ["only context", { checks: [], expectedOutput: "A" }, {}, ["becomes a scored expectation"]],
    ["file words", {}, { description: "d", extras: { version: 1 } }, ["description", 'key "version"']],
    ["output files", { output: { kind: "files", file: "a", patterns: [] } }, {}, ["the output files"]],
  ])("says what is lost: %s", async (_, part, file, expected) => {
    const written = bmad.write(foreign(part, file));
    expect(written.losses).toHaveLength(expected.length);
    expected.forEach((text, index) => expect(written.losses[index]).toContain(text));
    expect((await loadText(written.text)).file).not.toBeNull();
  });

  it("puts tasks and triggers into two files", async () => {
    const fires = check({ id: "fires", kind: "fires", layer: "trigger", appliesTo: "with-skill" });
    const asked = foreignCase({
      id: "q001",
      kind: "trigger",
      checks: [{ ...fires, expected: false, skill: "other", forbidden: [] } as Check],
    });
    const written = bmad.write(foreign({}, { cases: [foreignCase({}), asked] }));
    expect(written.losses).toEqual([]);
    expect(written.files?.map(({ name }) => name)).toEqual(["evals.json", "triggers.json"]);
    const triggers = await loadText(written.files![1]!.text, { path: PLACES.triggers });
    expect(triggers.diagnostics).toEqual([]);
    expect(triggers.file?.cases[0]?.checks).toMatchObject([{ expected: false, skill: "other" }]);
    expect((await loadText(written.text)).file?.cases).toHaveLength(1);
  });
});
