import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PLACES, loadText, load } from "./fixtures/load.ts";

/** A file is used, or an error says why not. */
function isAnswered({ file, diagnostics }: Awaited<ReturnType<typeof loadText>>): boolean {
  return file !== null || diagnostics.some(({ severity }) => severity === "error");
}

describe("any input", () => {
  it.each(Object.values(PLACES))("never throws on arbitrary text in %s", async (path) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), fc.json()), async (text) => {
        expect(isAnswered(await loadText(text, { path }))).toBe(true);
      }),
    );
  });

  it("never throws on arbitrary values under known keys", async () => {
    const keys = [
      "id",
      "prompt",
      "input",
      "rubric",
      "expectations",
      "files",
      "timeout",
      "state_prefix",
      "assay",
    ];
    const more = ["expected_output", "query", "should_trigger", "expect", "assertions", "initial_input"];
    const entry = fc.dictionary(fc.constantFrom(...keys, ...more), fc.jsonValue({ maxDepth: 2 }), {
      noNullPrototype: true,
    });
    const entries = fc.array(fc.oneof(entry, fc.jsonValue({ maxDepth: 1 })), { maxLength: 3 });
    const content = fc.oneof(
      entries,
      fc.record({ evals: entries }),
      fc.record({ cases: entries }),
      fc.record({ evals: entries, cases: entries, skill_name: fc.jsonValue(), assay: fc.jsonValue() }),
    );
    await fc.assert(
      fc.asyncProperty(content, fc.constantFrom(...Object.values(PLACES)), async (value, path) => {
        expect(isAnswered(await load(value, { path }))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
