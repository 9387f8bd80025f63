import { describe, expect, it } from "vitest";
import { evalMetadataReader } from "./eval-metadata.ts";
import { read } from "./fixtures/read.ts";

describe("eval_metadata.json", () => {
  it.each([
    [
      ["a", "b"],
      ["a", "b"],
    ],
    [
      [{ text: "a" }, { name: "n", description: "b" }, { name: "c" }],
      ["a", "b", "c"],
    ],
    [{ first: "a", second: { description: "b" } }, ["a", "b"]],
    [[], []],
    [null, []],
  ])("reads assertions %j", (assertions, expected) => {
    const { reading, problems } = read(evalMetadataReader, {
      eval_id: 0,
      eval_name: "x",
      prompt: "p",
      assertions,
    });
    expect(problems).toEqual([]);
    expect(reading).toMatchObject({ evalId: 0, evalName: "x", prompt: "p", assertions: expected });
  });

  it("is refused when it says nothing about an eval", () => {
    expect(read(evalMetadataReader, { other: 1 }).problems).toEqual([
      expect.stringMatching(/its keys are other/),
    ]);
  });
});
