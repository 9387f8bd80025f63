import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "../../document.ts";
import { clauditor } from "./clauditor.ts";
import { loadSpecValue, loadText, withoutPlaces } from "./fixtures/load-text.ts";
import { formatNames } from "../../../lib/value-formats.ts";

const word = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== "");
const note = fc.dictionary(
  fc.stringMatching(/^_[a-z]{1,5}$/),
  fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes("__proto__")),
  { maxKeys: 2 },
);
const count = fc.nat(9);
const pattern = fc.constantFrom("^- ", "\\d+", "(?i)hello", "(?P<q>['\"]).*?(?P=q)", "[]a]", "a$");
const format = fc.oneof(fc.constantFrom(...formatNames), pattern);
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);

const assertion = fc.oneof(
  fc.record({ type: fc.constantFrom("contains", "not_contains"), needle: word }),
  fc.record({ type: fc.constant("regex"), pattern }),
  fc.record({ type: fc.constant("min_count"), pattern, count }),
  fc.record({ type: fc.constantFrom("min_length", "max_length"), length: count }),
  fc.record(
    { type: fc.constantFrom("has_urls", "has_entries", "urls_reachable"), count },
    { requiredKeys: ["type"] },
  ),
  fc.record({ type: fc.constant("has_format"), format, count }, { requiredKeys: ["type", "format"] }),
);
const named = fc.tuple(assertion, fc.record({ name: word }, { requiredKeys: [] }), note);
const field = fc.record(
  { name: word, required: fc.boolean(), format: fc.option(format) },
  { requiredKeys: ["name"] },
);
const tier = fc.record(
  { description: fc.string(), min_entries: count, max_entries: fc.option(fc.integer({ min: 9, max: 20 })) },
  { requiredKeys: [] },
);
const section = fc.array(fc.tuple(tier, fc.array(field, { maxLength: 3 })), { maxLength: 2 });
const settings = fc.record(
  {
    skill_name: fc.stringMatching(/^[a-z][a-z-]{0,8}$/),
    description: fc.option(fc.string()),
    test_args: fc.option(fc.string()),
    user_prompt: fc.option(word),
    system_prompt: fc.option(word),
    output_file: fc.option(fc.constantFrom("out.md", "out/a.md")),
    output_files: fc.array(fc.constantFrom("*.md", "out/*.json"), { maxLength: 2 }),
    grading_model: fc.option(fc.constantFrom("claude-sonnet-4-6", "gpt-5.4", "o4-mini")),
    grading_provider: fc.option(fc.constantFrom("anthropic", "openai", "auto")),
    transport: fc.constantFrom("api", "cli", "auto"),
    harness: fc.constantFrom("claude-code", "codex", "auto"),
    allow_hang_heuristic: fc.boolean(),
    sync_tasks: fc.boolean(),
    timeout: fc.option(fc.integer({ min: 1, max: 9999 })),
    variance: fc.option(
      fc.record({ n_runs: fc.integer({ min: 1, max: 9 }), min_stability: share }, { requiredKeys: [] }),
    ),
    grade_thresholds: fc.option(
      fc.record({ min_pass_rate: share, min_mean_score: share }, { requiredKeys: [] }),
    ),
    trigger_tests: fc.option(
      fc.record(
        {
          should_trigger: fc.array(
            word.map((query) => `yes ${query}`),
            { maxLength: 3 },
          ),
          should_not_trigger: fc.array(
            word.map((query) => `no ${query}`),
            { maxLength: 3 },
          ),
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

/** A spec that keeps every rule: ids, names and labels are numbered so that none occurs twice. */
const spec = fc
  .record({
    settings,
    note,
    assertions: fc.array(named, { maxLength: 4 }),
    sections: fc.array(section, { maxLength: 2 }),
    criteria: fc.array(fc.tuple(word, note), { maxLength: 3 }),
  })
  .map((parts) => {
    let id = 0;
    const layers = {
      assertions: parts.assertions.map(([claim, name, extra]) => ({
        id: `id-${id++}`,
        ...claim,
        ...name,
        ...extra,
      })),
      sections: parts.sections.map((tiers, index) => ({
        name: `S${index}`,
        tiers: tiers.map(([head, fields], label) => ({
          label: `t${label}`,
          ...head,
          fields: fields.map((each) => ({ id: `id-${id++}`, ...each })),
        })),
      })),
      grading_criteria: parts.criteria.map(([criterion, extra]) => ({
        id: `id-${id++}`,
        criterion,
        ...extra,
      })),
    };
    return Object.assign(layers, parts.settings, parts.note);
  });

describe("any spec that keeps the rules", () => {
  it("loads without a word, and comes back whole", async () => {
    await fc.assert(
      fc.asyncProperty(spec, async (value) => {
        const first = await loadSpecValue(value);
        expect(first.lines.filter((line) => line.includes(" error "))).toEqual([]);
        const written = clauditor.write(first.file!);
        const second = await loadText(written.text);
        expect(written.losses).toEqual([]);
        expect(withoutPlaces(second.file)).toEqual(withoutPlaces(first.file));
      }),
      { numRuns: 300 },
    );
  });

  it("is recognised as soon as it says anything of its own", () => {
    fc.assert(
      fc.property(spec, (value) => {
        const document = parseDocument("/x/demo.eval.json", JSON.stringify(value), () => {});
        expect(clauditor.recognise(document!)).not.toBeNull();
      }),
    );
  });
});

describe("any JSON", () => {
  const keys = [
    "skill_name",
    "test_args",
    "input_files",
    "assertions",
    "sections",
    "grading_criteria",
    "trigger_tests",
    "variance",
    "grade_thresholds",
    "output_files",
    "assay",
    "tiers",
    "fields",
    "id",
    "type",
    "format",
    "pattern",
    "needle",
  ];
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(fc.jsonValue({ maxDepth: 0 }), fc.constantFrom("contains", "regex", "has_format", "(", "url")),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie("tree"), { maxKeys: 6 }),
    ),
  }));

  it("loads, or is refused with a reason; nothing is thrown", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(tree, fc.jsonValue()), async (value) => {
        const { file, diagnostics } = await loadSpecValue(value);
        const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
        expect(file === null).toBe(errors.length > 0);
      }),
      { numRuns: 500 },
    );
  });

  it("never makes recognition throw", () => {
    fc.assert(
      fc.property(fc.oneof(tree, fc.jsonValue()), (value) => {
        const document = parseDocument("/x/eval.json", JSON.stringify(value), () => {});
        expect(() => (document === null ? null : clauditor.recognise(document))).not.toThrow();
      }),
    );
  });
});
