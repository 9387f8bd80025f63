import { describe, expect, it } from "vitest";
import { csvRows } from "./csv-rows.ts";

describe("separated values", () => {
  it("may be quoted, and hold separators, quotes and line ends", () => {
    expect(csvRows('a,b\r\n"x, y","say ""hi""\nthere"\n')).toEqual([
      ["a", "b"],
      ["x, y", 'say "hi"\nthere'],
    ]);
  });

  it("may be separated by semicolons or tabs", () => {
    expect(csvRows("a;b\n1;2,5")).toEqual([
      ["a", "b"],
      ["1", "2,5"],
    ]);
    expect(csvRows("a\tb\n")).toEqual([["a", "b"]]);
  });

  it("of an empty file are none", () => {
    expect(csvRows("")).toEqual([]);
  });
});
