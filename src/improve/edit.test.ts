import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits, type Edit, type EditRules, occurrences } from "./edit.ts";

const RULES: EditRules = { known: new Set(["1/a", "2/b"]), most: 3, objection: () => null };

function edit(anchor: string, replacement: string, motivatedBy: readonly string[] = ["1/a"]): Edit {
  return { anchor, replacement, rationale: "so", motivatedBy };
}

describe("edits", () => {
  it("are made one after the other, each on what the ones before left", () => {
    const made = applyEdits("one two", [edit("one", "two three"), edit("three two", "x")], RULES);
    expect(made.text).toBe("two x");
    expect(made.refused).toEqual([]);
  });

  it.each([
    ["no such anchor", edit("nine", "x"), /does not occur/],
    ["an empty anchor", edit("", "x"), /anchor is empty/],
    ["an anchor twice", edit("aa", "x"), /occurs 2 times/],
    ["nothing changed", edit("one", "one"), /the anchor itself/],
    ["no reason", edit("one", "x", []), /no failing check/],
    ["an unknown reason", edit("one", "x", ["1/a", "9/z"]), /did not fail: 9\/z/],
  ])("are refused with %s, and the others stand", (_, bad, why) => {
    const made = applyEdits("one aaa two", [bad, edit("two", "2")], RULES);
    expect(made.text).toBe("one aaa 2");
    expect(made.refused).toEqual([{ edit: bad, number: 1, why: expect.stringMatching(why) as string }]);
    expect(made.applied).toEqual([edit("two", "2")]);
  });

  it("keep to the budget and to what else is asked of the text", () => {
    const many = ["a", "b", "c", "d"].map((letter) => edit(letter, letter.toUpperCase()));
    expect(applyEdits("a b c d", many, RULES)).toMatchObject({ text: "A B C d", refused: [{ number: 4 }] });
    const objection = (_: Edit, text: string) => (text.includes("B") ? "no B" : null);
    expect(applyEdits("a b c d", many, { ...RULES, objection }).text).toBe("A b C D");
  });

  it("take dollar signs as they are", () => {
    expect(applyEdits("price", [edit("price", "$& $1 $$")], RULES).text).toBe("$& $1 $$");
  });

  it("can be undone where they were made: the anchor was there exactly once", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ minLength: 1, maxLength: 3 }),
        fc.string(),
        (text, anchor, replacement) => {
          const made = applyEdits(text, [edit(anchor, replacement)], RULES);
          const expected = occurrences(text, anchor) === 1 && anchor !== replacement;
          expect(made.applied.length).toBe(expected ? 1 : 0);
          expect(made.text.length).toBe(text.length + (expected ? replacement.length - anchor.length : 0));
        },
      ),
    );
  });
});

describe("occurrences", () => {
  it.each([
    ["aaaa", "aa", 3],
    ["abab", "ab", 2],
    ["", "a", 0],
  ])("of %j count %j, overlapping ones too", (text, needle, count) => {
    expect(occurrences(text, needle)).toBe(count);
  });
});
