import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillet } from "./skillet.ts";
import { load } from "./fixtures/load.ts";

/** A file is used, or an error says why not. */
function isAnswered({ file, diagnostics }: Awaited<ReturnType<typeof load>>): boolean {
  return file !== null || diagnostics.some(({ severity }) => severity === "error");
}

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
