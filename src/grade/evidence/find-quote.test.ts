import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findQuote, quoteWeight } from "./find-quote.ts";
import { normalize, normalizedText } from "./normalized.ts";

const TEXT = `First line of “quoted” text.
Second   line — with a dash
\tand a naïve café, 40\u00a0€ (e\u0301t\u00e9)
{"a": [1, 2]}
fi\uFB01nish \u{1F600} end`;

describe("findQuote", () => {
  it.each([
    ["First line", 1],
    ['line of "quoted" text. Second line - with', 1],
    ["Second line — with a dash", 2],
    ["with a dash and a naïve", 2],
    ["40 €", 3],
    ["été", 3],
    ["e\u0301te\u0301", 3],
    ['{"a": [1, 2]}', 4],
    ["fifinish 😀 end", 5],
    ["'Second line'", 2],
    ["First line ... 40 €", 1],
    ["Second line […] end", 2],
    ["Second line [...] café", 2],
  ])("finds %j in line %d", (quote, line) => {
    expect(findQuote(quote, [{ text: TEXT, line: 1 }])).toEqual({ line });
  });

  it.each([["third line"], ["first line"], ["40 € ... First"], ["..."], [""], ['""'], ["Secondline"]])(
    "does not find %j",
    (quote) => {
      expect(findQuote(quote, [{ text: TEXT, line: 1 }])).toBeNull();
    },
  );

  it("counts lines from where a passage begins in the original", () => {
    const passages = [
      { text: "a\nb", line: 1 },
      { text: "c\nd\ne", line: 90 },
    ];
    expect(findQuote("d e", passages)).toEqual({ line: 91 });
    expect(findQuote("b ... d", passages)).toEqual({ line: 2 });
    expect(findQuote("b c", passages)).toBeNull();
  });

  it("finds every stretch of a text again, however it is wrapped", () => {
    const words = fc.array(fc.stringMatching(/^[a-zé]{1,6}$/), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(
        words,
        fc.nat(),
        fc.nat(),
        fc.constantFrom(" ", "\n", "\r\n", "  \t"),
        (all, a, b, space) => {
          const from = a % all.length;
          const to = from + 1 + (b % (all.length - from));
          const found = findQuote(all.slice(from, to).join(" "), [{ text: all.join(space), line: 1 }]);
          expect(found).not.toBeNull();
        },
      ),
    );
  });
});

describe("normalize", () => {
  it("keeps the way back to the original", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (original) => {
        const { text, offsets } = normalize(original);
        expect(offsets).toHaveLength(text.length + 1);
        expect(offsets.every((offset, index) => index === 0 || offset >= (offsets[index - 1] ?? 0))).toBe(
          true,
        );
        expect(offsets.at(-1)).toBe(original.length);
        expect(normalizedText(text)).toBe(text.trim());
      }),
    );
  });
});

it("a quotation weighs as much as it has letters and digits", () => {
  expect(["— …", "a 1!", "été"].map(quoteWeight)).toEqual([0, 2, 3]);
});
