import { describe, expect, it } from "vitest";
import { commaList, names, positive, shard, share, wholeNumber } from "./numbers.ts";

describe("option values", () => {
  it.each<[string, (text: string) => unknown, string, unknown]>([
    ["a whole number", wholeNumber(1), "3", 3],
    ["a whole number at its bound", wholeNumber(0), "0", 0],
    ["a share", share, "0.5", 0.5],
    ["a share at its bounds", share, "1", 1],
    ["a number above 0", positive, "0.25", 0.25],
    ["a shard", shard, "2/4", { index: 2, count: 4 }],
    ["a list", commaList, "a, b,,c", ["a", "b", "c"]],
    ["an empty list", commaList, "", []],
    ["names", names, "a, b", ["a", "b"]],
  ])("are read: %s", (_, parse, text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it.each<[string, (text: string) => unknown, string[], RegExp]>([
    ["whole numbers", wholeNumber(1), ["0", "-1", "1.5", "1e3", "x", "", " "], /at least 1/],
    ["shares", share, ["-0.1", "1.1", "x", "", " ", "NaN"], /between 0 and 1/],
    ["numbers above 0", positive, ["0", "-1", "Infinity", "x", ""], /above 0/],
    ["shards", shard, ["0/4", "5/4", "1", "1/", "/4", "a/b", "1/2/3"], /i\/n/],
    ["names", names, ["", " ", ","], /at least one/],
  ])("are refused with what they must be: %s", (_, parse, texts, why) => {
    for (const text of texts) expect(() => parse(text)).toThrow(why);
  });
});
