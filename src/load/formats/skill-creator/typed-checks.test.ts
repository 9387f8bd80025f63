import { describe, expect, it } from "vitest";
import { skillCreator } from "./skill-creator.ts";
import { loadText, withoutPlaces } from "./testing.ts";

const evals = (...assertions: readonly object[]) =>
  JSON.stringify({ skill_name: "s", evals: [{ id: 1, prompt: "p", assertions }] });

describe("a check in the words of another tool", () => {
  it.each<[object, object]>([
    [
      { type: "contains", value: "Hello", weight: 2 },
      { kind: "contains", needle: "Hello", ignoreCase: false },
    ],
    [
      { type: "not_contains", value: "Error" },
      { kind: "not_contains", needle: "Error" },
    ],
    [
      { type: "regex", pattern: "^a+$", weight: 1 },
      { kind: "regex", pattern: "^a+$" },
    ],
    [
      { type: "regex", pattern: "ab", flags: "i" },
      { kind: "regex", pattern: "(?i)ab" },
    ],
    [
      { type: "min_length", value: 20 },
      { kind: "min_length", length: 20 },
    ],
  ])("%j is read, noted and kept", async (written, claim) => {
    const { file, notes, errors } = await loadText(evals(written));
    expect(errors).toEqual([]);
    expect(notes).toEqual([expect.stringContaining("is another tool's check, read as: the output")]);
    expect(file?.cases[0]?.checks[0]).toMatchObject({ layer: "L1", origin: written, ...claim });
    const again = await loadText(skillCreator.write(file!).text);
    expect(withoutPlaces(again.file!)).toEqual(withoutPlaces(file!));
  });

  it.each([
    { type: "semantic_similarity", value: "x" },
    { type: "contains", values: ["a", "b"] },
    { type: "regex", pattern: "(" },
    { type: "contains", value: 3 },
  ])("%j is refused, because its meaning is not clear", async (written) => {
    const { errors } = await loadText(evals(written));
    expect(errors).toEqual([expect.stringContaining("it belongs to another tool")]);
  });

  it("that also states something in words is left to a judge", async () => {
    const { file } = await loadText(evals({ name: "greets", type: "contains", value: "Hello" }));
    expect(file?.cases[0]?.checks[0]).toMatchObject({ kind: "criterion", text: "greets" });
  });
});
