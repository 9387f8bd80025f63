import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokensOf } from "./tokens.ts";

describe("the pieces of a line of code", () => {
  it("tell comments, texts, numbers and key words apart", () => {
    expect(tokensOf('return x + "a" + 12 // why')).toEqual([
      { kind: "word", text: "return" },
      { kind: "plain", text: " " },
      { kind: "plain", text: "x" },
      { kind: "plain", text: " + " },
      { kind: "text", text: '"a"' },
      { kind: "plain", text: " + " },
      { kind: "number", text: "12" },
      { kind: "plain", text: " " },
      { kind: "note", text: "// why" },
    ]);
  });

  it("are all of the line", () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        expect(
          tokensOf(line)
            .map(({ text }) => text)
            .join(""),
        ).toBe(line);
      }),
    );
  });
});
