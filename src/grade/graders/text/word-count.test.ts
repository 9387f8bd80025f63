import fc from "fast-check";
import { expect, it } from "vitest";
import { type ClaimOf, kindOf } from "../../../domain/checks/index.ts";
import { verdictOn } from "../../fixtures/decide.ts";

const words = (min: number | null, max: number | null): ClaimOf<"word_count"> => ({
  kind: "word_count",
  min,
  max,
});

it.each<[string, ClaimOf<"word_count">, string, string]>([
  ["one two three", words(3, 3), "passed", "3 words, 3 to 3 wanted"],
  ["one two", words(3, null), "failed", "2 words, at least 3 wanted"],
  ["one two", words(null, 1), "failed", "2 words, at most 1 wanted"],
  ["  spread\n\tover\r\nlines  ", words(3, 5), "passed", "3 words, 3 to 5 wanted"],
  ["don't split e-mail", words(3, 3), "passed", "3 words, 3 to 3 wanted"],
  ["once", words(1, null), "passed", "1 word, at least 1 wanted"],
  ["", words(1, null), "failed", "0 words, at least 1 wanted"],
  ["", words(null, 5), "passed", "0 words, at most 5 wanted"],
])("counts the words of %j: %j is %s", async (output, claim, status, text) => {
  const verdict = await verdictOn(claim, { output });
  expect(verdict).toMatchObject({ status, evidence: [{ kind: "measure", text }] });
});

it("counts a word once that lies across two pieces of a large output", async () => {
  const output = `${"x".repeat(100_000)} ${"y".repeat(200_000)}`;
  expect(await verdictOn(words(2, 2), { output })).toMatchObject({ status: "passed" });
});

it("agrees with splitting at white space", async () => {
  const texts = fc.array(fc.constantFrom("a", "ü", "🙂", " ", "\n", "\u00a0", "-"), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(texts, async (parts) => {
      const output = parts.join("");
      const count = output.split(/\s+/u).filter((word) => word !== "").length;
      expect(await verdictOn(words(count, count), { output })).toMatchObject({ status: "passed" });
    }),
    { numRuns: 30 },
  );
});

it("fails where the declared output was not written", async () => {
  expect(await verdictOn(words(null, 5), { output: null })).toMatchObject({ status: "failed" });
});

it.each([words(null, 5), words(0, 5), words(1, 5), words(1, null)])(
  "is said to forbid something exactly where it holds on nothing: %j",
  async (claim) => {
    const { status } = await verdictOn(claim, { output: "" });
    expect(kindOf(claim).forbids(claim)).toBe(status === "passed");
  },
);
