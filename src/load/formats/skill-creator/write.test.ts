import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../lib/document/json.ts";
import { skillCreator } from "./skill-creator.ts";
import { loadText, withoutPlaces } from "./testing.ts";

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
