import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check } from "../../../domain/check.ts";
import { type Case, type EvalFile, plainCase } from "../../../domain/suite.ts";
import { writeYaml } from "../../../lib/document/write-yaml.ts";
import { ASSERTION_TYPES } from "./shape.ts";
import { skillet } from "./skillet.ts";
import { BASIC, load, roundTrip } from "./fixtures/load.ts";

describe("writing", () => {
  it("round-trips every part", async () => {
    const { before, after } = await roundTrip(
      `${BASIC}setup: |
  mkdir a
teardown: rm -r a
actual: |2
   indented
schema_version: 1
domain: functional
_mine: { deep: [1, 2.5, null, "2025-01-01"] }
other: true
assertions:
  - { type: contains, value: "2025-01-15" }
  - { type: regex, value: "^a\\\\d+$", note: kept }
assay:
  checks: [{ type: max_cost_usd, limit: 0.5 }, { type: criterion, text: Is kind }]
  with_only: [assertion-1]
  mcp_servers: { files: { command: x } }
  _note: mine
`,
    );
    expect(after).toEqual(before);
  });

  it("reads like a file written by hand", async () => {
    const { file } = await load(`${BASIC}setup: |\n  mkdir a\n  mkdir b\n`);
    expect(skillet.write(file!).text).toBe(
      "timestamp: 2025-01-15T10:30:00Z\nname: n\nsetup: |\n  mkdir a\n  mkdir b\nprompt: Say hello\nexpected: Says hello\n",
    );
  });

  const line = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1 }),
    fc.constantFrom("2025-01-01", "- a", "1", "a: b"),
  );
  const words = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n"));
  const filled = words.filter((text) => text.trim() !== "");
  const assertion = fc.oneof(
    fc.record({
      type: fc.constantFrom(...ASSERTION_TYPES.filter((type) => type !== "regex")),
      value: filled,
    }),
    fc.record({
      type: fc.constant("regex"),
      value: fc.constantFrom("a+", "^- ", "\\d{3}", "(?P<x>a)(?P=x)"),
    }),
  );
  const validFile = fc.record(
    {
      timestamp: fc.constantFrom("2025-01-15T10:30:00Z", "2025-01-15", "2025-01-15 10:30:00 +01:00"),
      name: filled,
      prompt: fc.oneof(filled, fc.array(filled, { minLength: 1, maxLength: 3 })),
      expected: filled,
      assertions: fc.array(assertion, { maxLength: 4 }),
      setup: words,
      teardown: words,
      actual: words,
      domain: filled,
      schema_version: fc.constant(1),
      _own: fc
        .json({ maxDepth: 2 })
        .filter((json) => !json.includes("__proto__"))
        .map((json) => JSON.parse(json) as never),
      unknown: words,
    },
    { requiredKeys: ["timestamp", "name", "prompt", "expected"] },
  );

  it("round-trips any valid file", async () => {
    await fc.assert(
      fc.asyncProperty(validFile, async (content) => {
        const { before, after } = await roundTrip(writeYaml(content));
        expect(after).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });

  const check = (rest: Partial<Check> & Pick<Check, "id" | "kind">): Check =>
    ({ layer: "L1", text: rest.id, appliesTo: "every-variant", origin: null, ...rest }) as Check;
  const foreign = (evalCase: Partial<Case>, file: Partial<EvalFile> = {}): EvalFile => ({
    path: "/x/evals.json",
    format: "bmad",
    dialect: "evals",
    skillName: null,
    description: null,
    extras: {},
    cases: [
      {
        ...plainCase({
          id: "A1",
          declaredId: "A1",
          kind: "task",
          format: "bmad",
          at: { file: "/x/evals.json", line: 1, column: 1 },
          prompt: { kind: "turns", turns: ["Go"] },
        }),
        checks: [check({ id: "expectation-1", kind: "criterion", layer: "L3", text: "It went" })],
        ...evalCase,
      },
    ],
    ...file,
  });

  it("carries what Skillet lacks in the assay key", async () => {
    const written = skillet.write(
      foreign({
        checks: [
          check({ id: "expectation-1", kind: "criterion", layer: "L3", text: "It went" }),
          check({ id: "expectation-2", kind: "criterion", layer: "L3", text: "It came back" }),
          check({ id: "check-3", kind: "contains", needle: "Went", ignoreCase: false }),
          check({ id: "check-4", kind: "contains", needle: "back", ignoreCase: true }),
          check({ id: "check-5", kind: "min_length", length: 10 }),
        ],
        reference: { output: "Went and came back", files: {} },
        extras: { _pattern: "artifact" },
      }),
    );
    expect(written.losses).toEqual([]);
    const { file, diagnostics } = await load(written.text);
    expect(diagnostics).toEqual([]);
    expect(file?.cases[0]?.checks.map(({ id, kind }) => [id, kind])).toEqual([
      ["expected", "criterion"],
      ["assertion-1", "contains"],
      ["expectation-2", "criterion"],
      ["check-3", "contains"],
      ["check-5", "min_length"],
    ]);
    expect(file?.cases[0]).toMatchObject({
      reference: { output: "Went and came back" },
      extras: { _pattern: "artifact" },
    });
  });

  it.each<[string, Partial<Case>, Partial<EvalFile>, string[]]>([
    ["files", { files: [{ kind: "inline", target: "a.txt", content: "x" }] }, {}, ["the inline files a.txt"]],
    ["overlays", { overlays: ["/x/setup"] }, {}, ["the overlay directories"]],
    ["context", { expectedOutput: "A brief" }, {}, ["the expected output"]],
    ["declared ids", { checks: [check({ id: "mine", kind: "criterion" })] }, {}, ['the check\'s id "mine"']],
    ["no criterion", { checks: [] }, {}, ["requires a criterion"]],
    ["only context", { checks: [], expectedOutput: "A brief" }, {}, ["becomes a scored criterion"]],
    ["keys", { extras: { category: "x" } }, {}, ['the key "category"']],
    [
      "invocation",
      { prompt: { kind: "invocation", args: "x" } },
      {},
      ["the invocation of the skill by name"],
    ],
    [
      "file words",
      {},
      { skillName: "s", description: "d", extras: { _notes: "n" } },
      ["name", "description", "_notes"],
    ],
    ["triggers", { kind: "trigger" }, {}, ["no task", "trigger query"]],
    [
      "extraction",
      {
        checks: [
          check({ id: "expected", kind: "criterion" }),
          check({ id: "f", kind: "entries", layer: "L2" }),
        ],
      },
      {},
      ['the check "f" (entries)'],
    ],
  ])("says what is lost: %s", async (_, evalCase, file, expected) => {
    const written = skillet.write(foreign(evalCase, file));
    expect(written.losses).toHaveLength(expected.length);
    expected.forEach((part, index) => expect(written.losses[index]).toContain(part));
    expect((await load(written.text)).file === null).toBe(evalCase.kind === "trigger");
  });

  it("writes one file for each of several cases", async () => {
    const one = foreign({}).cases[0]!;
    const written = skillet.write(foreign({}, { cases: [one, { ...one, id: "A2" }] }));
    expect(written.files?.map(({ name }) => name)).toEqual(["A1.yaml", "A2.yaml"]);
    expect(written.text).toBe(written.files?.[0]?.text);
    expect((await load(written.files![1]!.text, "/e/A2.yaml")).file?.cases[0]?.id).toBe("A2");
  });
});
