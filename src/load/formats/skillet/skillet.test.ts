import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check } from "../../../domain/check.ts";
import type { Diagnostic } from "../../../domain/diagnostic.ts";
import type { Case, EvalFile } from "../../../domain/suite.ts";
import { fileNameProblem } from "../../../lib/file-name.ts";
import { writeYaml } from "../../../lib/document/write-yaml.ts";
import { parseDocument } from "../../document.ts";
import { plainCase } from "../../plain-case.ts";
import { ASSERTION_TYPES } from "./shape.ts";
import { skillet } from "./skillet.ts";

const SHARED = fileURLToPath(new URL("../../../../../shared/", import.meta.url));
const HEAD = "timestamp: 2025-01-15T10:30:00Z\nname: n\n";
const BASIC = `${HEAD}prompt: Say hello\nexpected: Says hello\n`;

async function load(text: string, path = "/evals/demo/001.yaml", evalsDirectory: string | null = null) {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const document = parseDocument(path, text, report);
  const context = { report, skill: null, projectRoot: null, evalsDirectory };
  const file = document === null ? null : await skillet.load(document, context);
  return { file, diagnostics, recognised: document === null ? null : skillet.recognise(document) };
}

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

function withoutPlaces(file: EvalFile | null): unknown {
  return JSON.parse(
    JSON.stringify(file, (key, value: unknown) => (key === "at" || key === "path" ? undefined : value)),
  );
}

/** What a file says, before and after it was written and read again. */
async function roundTrip(text: string, path?: string) {
  const first = await load(text, path);
  const written = skillet.write(first.file!);
  const second = await load(written.text, path);
  return {
    before: { file: withoutPlaces(first.file), text: written.text, losses: [] },
    after: {
      file: withoutPlaces(second.file),
      text: second.file === null ? null : skillet.write(second.file).text,
      losses: written.losses,
    },
  };
}

/** A file is used, or an error says why not. */
function isAnswered({ file, diagnostics }: Awaited<ReturnType<typeof load>>): boolean {
  return file !== null || diagnostics.some(({ severity }) => severity === "error");
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

describe("case ids", () => {
  async function id(path: string, base: string | null): Promise<string> {
    return (await load(BASIC, path, base)).file!.cases[0]!.id;
  }

  it.each([
    ["/e/browser/001.yaml", "/e/browser", "001"],
    ["/e/browser/001.yml", "/e/browser", "001"],
    ["/e/browser/001.YAML", "/e/browser", "001"],
    ["/e/browser/webfetch/001.yaml", "/e/browser", "webfetch--001"],
    ["/e/browser/a/b/c.yaml", "/e/browser", "a--b--c"],
    ["/e/browser/webfetch/001.yaml", null, "001"],
    ["/elsewhere/001.yaml", "/e/browser", "001"],
    ["/e/browser/v1.2-x.yaml", "/e/browser", "v1.2-x"],
    ["/e/b/..x/1.yaml", "/e/b", expect.stringMatching(/^x-1-[0-9a-f]{8}$/)],
    ["/e/b/.yaml", "/e/b", expect.stringMatching(/^eval-[0-9a-f]{8}$/)],
    ["/e/b/what: now?.yaml", "/e/b", expect.stringMatching(/^what-now--[0-9a-f]{8}$/)],
    [`/e/b/${"long".repeat(50)}.yaml`, "/e/b", expect.stringMatching(/^(long){6}-[0-9a-f]{8}$/)],
  ])("%s in %s", async (path, base, expected) => {
    expect(await id(path, base)).toEqual(expected);
  });

  it("is safe as a directory, and of no other place, however long names are", async () => {
    const unit = fc.constantFrom("a", "-", ".", "漢", "\u{1f642}", "é");
    const part = fc
      .string({ unit, minLength: 1, maxLength: 80, size: "max" })
      .filter((name) => !/^\.*$/.test(name));
    const place = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    await fc.assert(
      fc.asyncProperty(place, place, async (one, other) => {
        const [first, second] = [await id(`/e/${one}.yaml`, "/e"), await id(`/e/${other}.yaml`, "/e")];
        expect(fileNameProblem(first)).toBeNull();
        expect(first === second).toBe(one === other);
      }),
    );
  });

  it("tells places apart that would read the same", async () => {
    const paths = ["a/b--c", "a--b/c", "a--b--c", "a/b/c", "a-/b", "a/-b", "a---b"];
    const ids = await Promise.all(paths.map((path) => id(`/e/${path}.yaml`, "/e")));
    expect(new Set(ids).size).toBe(paths.length);
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

describe("recognise", () => {
  it.each([
    [BASIC, "a.yaml", "certain"],
    ["prompt: x\nexpected: y\n", "a.yml", "likely"],
    ["timestamp: 2025-01-01\nname: x\n", "a.yaml", "likely"],
    ["name: x\nprompt: y\n", "a.yaml", undefined],
    ["expected: y\n", "a.yaml", undefined],
    ["- a\n", "a.yaml", undefined],
    ['{"timestamp":"2025-01-01","name":"n","prompt":"x","expected":"y"}', "evals.json", undefined],
  ])("%j in %s", async (text, path, confidence) => {
    expect((await load(text, `/e/${path}`)).recognised?.confidence).toBe(confidence);
  });
});

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
    ["only context", { checks: [], expectedOutput: "A brief" }, {}, ["becomes a criterion that is scored"]],
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

describe("any input", () => {
  it("never throws on arbitrary text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), async (text) => {
        expect(isAnswered(await load(text))).toBe(true);
      }),
    );
  });

  it("never throws on arbitrary values under known keys, and says why it refuses", async () => {
    const keys = Object.keys((skillet.schemas["eval"]?.["properties"] ?? {}) as object);
    const content = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 3 }), {
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(content, async (value) => {
        expect(isAnswered(await load(JSON.stringify(value)))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("real files", () => {
  const seed = join(SHARED, "seeds/skillet-eval-format.md");
  it.skipIf(!existsSync(seed))("loads and round-trips every example of the format document", async () => {
    const blocks = [...readFileSync(seed, "utf8").matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      (match) => match[1] ?? "",
    );
    expect(blocks.length).toBeGreaterThanOrEqual(6);
    for (const block of blocks) {
      // The document shows `expected` alone where it is about nothing else.
      const text = block.includes("timestamp:") ? block : `${HEAD}prompt: x\n${block}`;
      expect((await load(text)).diagnostics).toEqual([]);
      const { before, after } = await roundTrip(text);
      expect(after).toEqual(before);
    }
  });

  const corpus = join(SHARED, "corpus/skillet");
  it.skipIf(!existsSync(corpus))("loads and round-trips every file of the corpus", async () => {
    const names = readdirSync(corpus);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const text = readFileSync(join(corpus, name), "utf8");
      const path = `/e/${name}`;
      expect(await load(text, path)).toMatchObject({
        diagnostics: [],
        recognised: { confidence: "certain" },
      });
      const { before, after } = await roundTrip(text, path);
      expect(after).toEqual(before);
    }
  });
});
