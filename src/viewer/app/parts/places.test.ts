import { describe, expect, it } from "vitest";
import { placesOf } from "./places.ts";

describe("a quote", () => {
  it("is found wherever it lies, whatever its blanks and case", () => {
    expect(placesOf("Two  prices\nare missing. two prices are not.", "two prices are")).toEqual([
      [0, 15],
      [25, 39],
    ]);
  });

  it("is found by its lines where other lines lie between them", () => {
    expect(placesOf("first line\nanother\nlast line", "first line\nlast line")).toEqual([
      [0, 10],
      [19, 28],
    ]);
  });

  it("is nowhere when it is empty or not there", () => {
    expect(placesOf("text", " ")).toEqual([]);
    expect(placesOf("text", "other")).toEqual([]);
  });

  it("may be full of signs that patterns mean something by", () => {
    expect(placesOf("a (b) [c] $1.*", "(b) [c] $1.*")).toEqual([[2, 14]]);
  });
});
