import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check } from "../../../domain/check.ts";
import { type Case, type EvalFile, NO_SETTINGS } from "../../../domain/suite.ts";
import { parseJson } from "../../../lib/document/json.ts";
import { plainCase } from "../../plain-case.ts";
import { parseDocument } from "../../document.ts";
import { skillCreator } from "./skill-creator.ts";
import { loadText, withoutPlaces } from "./testing.ts";

const AT = { file: "/nowhere/pdf.eval.json", line: 1, column: 1 };

function criterion(id: string, text: string): Check {
  return { id, layer: "L3", text, appliesTo: "every-variant", origin: null, kind: "criterion" };
}

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

/** Shapes of evals files whose every spelling must come back. */
const EVALS: readonly (readonly [string, unknown])[] = [
  [
    "the documented file",
    {
      skill_name: "x",
      evals: [{ id: 1, prompt: "P", expected_output: "o", files: ["a"], expectations: ["e"] }],
    },
  ],
  ["a bare list", [{ prompt: "P" }, { prompt: "Q" }]],
  ["an empty list of evals", { evals: [] }],
  [
    "other names",
    {
      skill: "x",
      description: "d",
      evals: [
        {
          eval_id: "A",
          eval_name: "n",
          question: "P",
          expected: "o",
          input_files: ["a"],
          expected_behavior: ["e"],
        },
      ],
    },
  ],
  [
    "both lists",
    {
      evals: [
        {
          id: 1,
          prompt: "P",
          expectations: [{ text: "e", kind: "k" }],
          assertions: [{ text: "e", kind: "k" }],
        },
      ],
    },
  ],
  [
    "assertions",
    {
      evals: [
        {
          id: 1,
          prompt: "P",
          assertions: ["a", { id: 3, text: "b" }, { name: "c", description: "d", type: "t" }],
        },
      ],
    },
  ],
  [
    "unknown keys",
    {
      evals: [{ id: 1, prompt: "P", trap: { a: [1] }, _note: "n", rubric: [] }],
      version: 2,
      _design_notes: "d",
    },
  ],
  [
    "timeouts",
    {
      evals: [
        { id: 1, prompt: "P", timeout: 30 },
        { id: 2, prompt: "P", timeout_seconds: 1.5 },
      ],
    },
  ],
  ["odd types of context", { evals: [{ id: 1, prompt: "P", expected_output: ["a", "b"], name: 3 }] }],
  [
    "inline files",
    { evals: [{ id: 1, prompt: "P", files: [{ name: "a.csv", content: "1" }, "~/x", "/abs/y"] }] },
  ],
  [
    "check ids that look made",
    {
      evals: [
        { id: 1, prompt: "P", assertions: [{ id: "expectation-2", text: "a" }, "b", { id: 7, text: "c" }] },
      ],
    },
  ],
  [
    "the assay key",
    {
      assay: { _why: "w", checks: [{ type: "no_denied_tools" }], mcp_servers: { a: { command: "b" } } },
      evals: [
        {
          id: 1,
          prompt: "P",
          expectations: ["e"],
          assay: {
            checks: [{ type: "has_urls" }, { type: "criterion", text: "kind" }],
            with_only: ["expectation-1", "no_denied_tools"],
            reference: { output: "r", files: { f: "g" } },
            mcp_servers: { c: { command: "d" } },
          },
        },
        { id: 2, prompt: "Q" },
      ],
    },
  ],
];

describe("its own files", () => {
  it.each(EVALS)("%s is written back as it was", async (_, value) => {
    const { file, errors } = await loadText(JSON.stringify(value));
    expect(errors).toEqual([]);
    const written = file && skillCreator.write(file);
    expect(written?.losses).toEqual([]);
    expect(JSON.parse(written?.text ?? "")).toEqual(value);
    const again = await loadText(written?.text ?? "");
    expect(again.file && withoutPlaces(again.file)).toEqual(file && withoutPlaces(file));
  });
});

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
    expect(written.losses).toEqual(['skill-creator has no words for the file\'s key "skill_name"']);
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
      'what else the file says about the check "C"',
      "the place a.csv of the file data/a.csv",
      'the check "3 venues" (entries)',
      'the key "domain"',
    ];
    expect(written.losses).toEqual([
      'skill-creator has no words for the file\'s key "owner"',
      ...lost.map((noun) => `case pdf: skill-creator has no words for ${noun}`),
    ]);
    expect(JSON.parse(written.text)).toMatchObject({
      description: "d",
      evals: [{ id: 1, name: "pdf", prompt: "/pdf a b", _mine: "kept" }],
    });
  });
});

describe("recognise", () => {
  it.each([
    [
      { skill_name: "x", evals: [{ id: 1, prompt: "P", expectations: ["a"] }] },
      { dialect: "evals", confidence: "likely" },
    ],
    [{ evals: [{ id: 1, prompt: "P", assertions: ["a"] }] }, { dialect: "evals", confidence: "certain" }],
    [[{ prompt: "P" }], { dialect: "evals", confidence: "certain" }],
    [{ evals: 3 }, { dialect: "evals", confidence: "likely" }],
    [[{ query: "a", should_trigger: true }], { dialect: "triggers", confidence: "likely" }],
    [{ cases: [{ query: "a", should_trigger: true }] }, { dialect: "triggers", confidence: "certain" }],
    [
      { evals: [{ prompt: "P", should_trigger: true, assertions: ["a"] }] },
      { dialect: "evals", confidence: "likely" },
    ],
    [{ cases: [{ prompt: "P" }] }, null],
    [{ trigger_tests: { should_trigger: ["a"] }, assertions: [] }, null],
    [{}, null],
    [3, null],
  ])("%j", (value, expected) => {
    const document = parseDocument("/nowhere/evals.json", JSON.stringify(value), () => {});
    expect(document && skillCreator.recognise(document)).toEqual(expected);
  });

  it("leaves YAML to others", () => {
    const document = parseDocument("/nowhere/evals.yaml", "evals: [{prompt: P}]", () => {});
    expect(document && skillCreator.recognise(document)).toBeNull();
  });
});

describe("schemas", () => {
  it("describe each dialect", () => {
    expect(Object.keys(skillCreator.schemas)).toEqual(["evals", "triggers"]);
    expect(skillCreator.schemas["evals"]).toMatchObject({
      anyOf: [
        { type: "object", required: ["evals"], properties: { evals: { items: { required: ["prompt"] } } } },
        { type: "array", items: { properties: { prompt: { type: "string" } } } },
      ],
    });
    expect(skillCreator.schemas["triggers"]).toMatchObject({
      anyOf: [{ type: "array", items: { required: ["query", "should_trigger"] } }, {}, {}],
    });
  });
});

describe("any input", () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const keys = fc.constantFrom(
    "id",
    "eval_id",
    "name",
    "prompt",
    "query",
    "text",
    "expected",
    "expected_output",
    "files",
    "assay",
    "expectations",
    "assertions",
    "expected_behavior",
    "should_trigger",
    "skill",
    "forbid",
    "_x",
    "_spelling",
    "other",
  );
  const entry = fc.dictionary(keys, fc.oneof(json, fc.boolean(), fc.array(fc.oneof(fc.string(), json))));
  const top = fc.constantFrom(
    "evals",
    "cases",
    "queries",
    "should_trigger",
    "negative",
    "skill_name",
    "assay",
    "x",
  );
  const anything = fc.oneof(json, fc.array(entry), fc.dictionary(top, fc.oneof(json, fc.array(entry))));

  it("is loaded or refused with a reason, never thrown at; what is loaded is restored", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        fc.pre(parseJson(JSON.stringify(value)).ok);
        const { file, errors } = await loadText(JSON.stringify(value));
        expect(file === null).toBe(errors.length > 0);
        if (file === null) return;
        const again = await loadText(skillCreator.write(file).text);
        expect(again.file && withoutPlaces(again.file)).toEqual(withoutPlaces(file));
      }),
      { numRuns: 300 },
    );
  });

  const words = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const statement = fc.oneof(words, fc.record({ text: words, type: words }), fc.record({ name: words }));
  const evalEntry = fc
    .record({
      prompt: words,
      promptKey: fc.constantFrom("prompt", "question"),
      statements: maybe(fc.array(statement)),
      container: fc.constantFrom("expectations", "assertions", "expected_behavior"),
      expected: maybe(fc.string()),
      name: maybe(fc.string()),
      extra: maybe(fc.constantFrom(1, null, "x", [{}])),
      urls: maybe(fc.nat(9)),
    })
    .map(({ prompt, promptKey, statements, container, expected, name, extra, urls }) => {
      const checks = urls === undefined ? undefined : [{ type: "has_urls", count: urls }];
      const entry = { expected_output: expected, eval_name: name, extra, assay: checks && { checks } };
      return Object.assign(entry, { [promptKey]: prompt, [container]: statements });
    });
  const evalsFile = fc.record({
    entries: fc.array(evalEntry, { minLength: 1, maxLength: 6 }),
    ids: fc.constantFrom("int", "string", "none"),
    bare: fc.boolean(),
  });

  it("that is a valid evals file loads and round-trips", async () => {
    await fc.assert(
      fc.asyncProperty(evalsFile, async ({ entries, ids, bare }) => {
        const evals = entries.map((entry, index) => {
          if (ids === "none") return entry;
          return Object.assign({ id: ids === "int" ? index : `case ${index}` }, entry);
        });
        const { file, errors } = await loadText(JSON.stringify(bare ? evals : { skill_name: "x", evals }));
        expect(errors).toEqual([]);
        const written = file && skillCreator.write(file);
        expect(written?.losses).toEqual([]);
        const again = await loadText(written?.text ?? "");
        expect(again.file && withoutPlaces(again.file)).toEqual(file && withoutPlaces(file));
        expect(new Set(file?.cases.map(({ id }) => id)).size).toBe(entries.length);
      }),
    );
  });
});
