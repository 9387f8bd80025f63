import { describe, expect, it } from "vitest";
import { type Case, plainCase } from "../../../domain/suite.ts";
import { HEAD, BASIC, load } from "./fixtures/load.ts";

/** The one case; the test fails with the reasons when there is none. */
async function onlyCase(text: string): Promise<Case> {
  const { file, diagnostics } = await load(text);
  expect(diagnostics).toEqual([]);
  return file!.cases[0]!;
}

async function problems(text: string): Promise<string[]> {
  const { diagnostics } = await load(text);
  return diagnostics.map(
    ({ severity, code, message, at, hint }) =>
      `${at?.line}:${at?.column} ${severity} ${code}: ${message}${hint === null ? "" : ` (${hint})`}`,
  );
}

describe("loading", () => {
  it("makes one case of one file", async () => {
    const { file, diagnostics } = await load(BASIC);
    expect(diagnostics).toEqual([]);
    expect(file).toMatchObject({ format: "skillet", dialect: "eval", skillName: null, extras: {} });
    expect(file?.cases).toEqual([
      {
        ...plainCase({
          id: "001",
          declaredId: null,
          kind: "task",
          format: "skillet",
          at: { file: "/evals/demo/001.yaml", line: 1, column: 1 },
          prompt: { kind: "turns", turns: ["Say hello"] },
        }),
        name: "n",
        checks: [
          {
            id: "expected",
            layer: "L3",
            kind: "criterion",
            text: "Says hello",
            appliesTo: "every-variant",
            origin: null,
          },
        ],
        extras: { timestamp: "2025-01-15T10:30:00Z" },
      },
    ]);
  });

  it("sends a list of prompts as turns", async () => {
    const { prompt } = await onlyCase(`${HEAD}prompt:\n  - one\n  - two\nexpected: x\n`);
    expect(prompt).toEqual({ kind: "turns", turns: ["one", "two"] });
  });

  it("keeps scripts, the recorded answer, the domain and the version", async () => {
    const text = `schema_version: 1\n${BASIC}setup: |\n  mkdir a\nteardown: rm -r a\nactual: hi\ndomain: functional\n`;
    const evalCase = await onlyCase(text);
    expect(evalCase).toMatchObject({ setup: "mkdir a\n", teardown: "rm -r a" });
    expect(evalCase.extras).toEqual({
      timestamp: "2025-01-15T10:30:00Z",
      actual: "hi",
      domain: "functional",
      schema_version: 1,
    });
  });

  it("takes empty optional keys and blank scripts as left out", async () => {
    const evalCase = await onlyCase(
      `${BASIC}setup:\nteardown: "  "\nactual:\nassertions:\ndomain:\nschema_version:\n`,
    );
    expect(evalCase).toMatchObject({
      setup: null,
      teardown: null,
      extras: { timestamp: "2025-01-15T10:30:00Z" },
    });
    expect(evalCase.checks).toHaveLength(1);
  });

  it("reads the seven assertions as checks beside the criterion", async () => {
    const evalCase = await onlyCase(
      `${BASIC}assertions:
  - { type: contains, value: Hello }
  - { type: not_contains, value: Bye }
  - { type: regex, value: '(?i)hello\\b' }
  - { type: starts_with, value: Hel }
  - { type: ends_with, value: "!" }
  - { type: tool_called, value: Write }
  - { type: tool_not_called, value: Bash }
`,
    );
    const claims = evalCase.checks.map(
      ({ text: _text, appliesTo: _applies, origin: _origin, ...claim }) => claim,
    );
    expect(claims).toEqual([
      { id: "expected", layer: "L3", kind: "criterion" },
      { id: "assertion-1", layer: "L1", kind: "contains", needle: "Hello", ignoreCase: true },
      { id: "assertion-2", layer: "L1", kind: "not_contains", needle: "Bye", ignoreCase: true },
      { id: "assertion-3", layer: "L1", kind: "regex", pattern: "(?i)hello\\b" },
      { id: "assertion-4", layer: "L1", kind: "starts_with", needle: "Hel", ignoreCase: true },
      { id: "assertion-5", layer: "L1", kind: "ends_with", needle: "!", ignoreCase: true },
      { id: "assertion-6", layer: "L1", kind: "tool_called", tool: "Write", arguments: null, count: 1 },
      { id: "assertion-7", layer: "L1", kind: "tool_not_called", tool: "Bash", arguments: null },
    ]);
    expect(evalCase.checks.map((check) => check.text)).toContain('the output contains "Hello"');
  });

  it("reads the assay key: more checks, a reference", async () => {
    const evalCase = await onlyCase(
      `${BASIC}assay:
  checks:
    - { type: file_exists, path: out.txt }
  with_only: [expected]
  reference: { output: hello }
`,
    );
    expect(evalCase.checks.map(({ kind, appliesTo }) => [kind, appliesTo])).toEqual([
      ["criterion", "with-skill"],
      ["file_exists", "every-variant"],
    ]);
    expect(evalCase.reference).toEqual({ output: "hello", files: {} });
  });

  it.each([
    "2025-01-15T10:30:00Z",
    '"2025-01-15T10:30:00Z"',
    "'2025-01-15T10:30:00.123+02:00'",
    "2025-01-15",
    "2025-01-15 10:30:00",
    '"2025-01-15T10:30"',
    "2024-02-29T23:59:60Z",
  ])("keeps the spelling of the timestamp %s", async (spelled) => {
    const evalCase = await onlyCase(BASIC.replace("2025-01-15T10:30:00Z", spelled));
    expect(evalCase.extras["timestamp"]).toBe(spelled.replaceAll(/["']/g, ""));
  });

  it("accepts CRLF", async () => {
    const evalCase = await onlyCase(BASIC.replaceAll("\n", "\r\n"));
    expect(evalCase.prompt).toEqual({ kind: "turns", turns: ["Say hello"] });
  });
});

describe("what is refused", () => {
  it.each([
    [
      "prompt: x\n",
      ["timestamp", "name", "expected"].map((key) => `the file has no "${key}", which is required`),
    ],
    [`${HEAD}prompt: 5\nexpected: x\n`, ["prompt must be a string or a list of strings, not the number 5"]],
    [`${HEAD}prompt: []\nexpected: x\n`, ["prompt must not be empty"]],
    [
      `${HEAD}prompt: ["a", " ", 3]\nexpected: x\n`,
      ["prompt[1] must not be blank", "prompt[2] must be a string"],
    ],
    [`${HEAD}prompt: x\nexpected:\n`, ["expected must be a string, not null"]],
    [`${HEAD}prompt: x\nexpected: [a]\n`, ["expected must be a string, not a list"]],
    [BASIC.replace("name: n", "name: 7"), ["name must be a string, not the number 7"]],
    [BASIC.replace("2025-01-15T10:30:00Z", "yesterday"), ["must be an ISO 8601 timestamp"]],
    [BASIC.replace("2025-01-15T10:30:00Z", "2025-02-30"), ["must be an ISO 8601 timestamp"]],
    [BASIC.replace("2025-01-15T10:30:00Z", "'2025-13-01'"), ["must be an ISO 8601 timestamp"]],
    [BASIC.replace("2025-01-15T10:30:00Z", "20250115"), ["must be an ISO 8601 timestamp, not the number"]],
    [`${BASIC}schema_version: 2\n`, ["schema_version 2 is not supported"]],
    [`${BASIC}schema_version: 1.0\n`, ["schema_version must be an integer, not the float 1.0"]],
    [`${BASIC}schema_version: "1"\n`, ["write 1 without quotes"]],
    [`${BASIC}setup: [a]\n`, ["setup must be a string"]],
    [`${BASIC}assertions: x\n`, ["assertions must be a list"]],
    [`${BASIC}assertions: [x]\n`, ["assertions[0] must be an object"]],
    [`${BASIC}assertions: [{type: contain, value: x}]\n`, ['did you mean "contains"?']],
    [`${BASIC}assertions: [{type: contains}]\n`, ['assertions[0] has no "value"']],
    [`${BASIC}assertions: [{type: contains, value: 3}]\n`, ["assertions[0].value must be a string"]],
    [`${BASIC}assertions: [{type: contains, value: ""}]\n`, ["assertions[0].value must not be blank"]],
    [`${BASIC}assertions: [{type: tool_called, value: " "}]\n`, ["assertions[0].value must not be blank"]],
    [
      `${BASIC}assertions: [{type: regex, value: "(a"}]\n`,
      ["assertions[0].value is not a regular expression"],
    ],
    [`${BASIC}assay: {checks: [{type: contains}]}\n`, ['assay.checks[0] has no "needle"']],
    ["- a\n", ["the file must be an object, not a list"]],
    ["just text\n", ["the file must be an object"]],
    [`${BASIC}name: again\n`, ["file/duplicate-key"]],
    [`${BASIC}---\n${BASIC}`, ["more than one YAML document"]],
    ["", ["the file is empty"]],
  ])("%j", async (text, expected) => {
    const { file } = await load(text);
    const found = await problems(text);
    expect(file).toBeNull();
    expect(found).toHaveLength(expected.length);
    expected.forEach((part, index) => {
      expect(found[index]).toContain(part);
      expect(found[index]).toContain(" error ");
    });
  });

  it("points at the place", async () => {
    expect(
      await problems(`${HEAD}prompt: x\nexpected: y\nassertions:\n  - type: regex\n    value: "a("\n`),
    ).toEqual([expect.stringMatching(/^7:12 error skillet\/bad-regex: /)]);
  });
});

describe("notes", () => {
  it("names an unknown key and the likely right one, and leaves _keys alone", async () => {
    const text = `${BASIC}tear_down: x\n_note: mine\ncolour: red\n`;
    const { file } = await load(text);
    expect(file?.cases[0]?.extras).toMatchObject({ tear_down: "x", _note: "mine", colour: "red" });
    expect(await problems(text)).toEqual([
      '5:1 note skillet/unknown-key: the file has the unknown key "tear_down" (did you mean "teardown"?)',
      expect.stringContaining('unknown key "colour" (known keys: timestamp, name, prompt'),
    ]);
  });

  it("notes an unknown domain", async () => {
    expect(await problems(`${BASIC}domain: speed\n`)).toEqual([
      expect.stringContaining('note skillet/unknown-domain: domain is "speed"'),
    ]);
  });
});
