import { describe, expect, it } from "vitest";
import { optionalOrNull, required } from "./object.ts";
import { fields, only, plainOf, readPlain } from "./read-plain.ts";
import { list, text } from "./values.ts";

const shape = fields({ name: required(text()), tags: optionalOrNull(list(text()), []) });

describe("a value that other code answered", () => {
  it("is read as a copy, with what was left out and without what is not known", () => {
    const tags = ["a"];
    const read = plainOf({ name: "x", tags, more: 1 }, shape);
    expect(read).toEqual({ name: "x", tags: ["a"] });
    expect(read.tags).not.toBe(tags);
    expect(plainOf({ name: "x", tags: null }, shape)).toEqual({ name: "x", tags: [] });
  });

  it.each<[unknown, RegExp]>([
    [undefined, /^the answer must be a value, not undefined$/],
    [() => 1, /^the answer must be a value, not function$/],
    [null, /^the answer must be an object, not null$/],
    [{ name: 1n }, /^the answer cannot be written as JSON: /],
    [{ tags: [1] }, /^the answer has no "name", which is required; tags\[0\] must be a string/],
    [nested(300), /^the answer is nested more than 200 levels deep$/],
  ])("is refused with all that is wrong", (value, problem) => {
    expect(() => plainOf(value, shape)).toThrow(problem);
  });

  it("keeps the codes of its problems", () => {
    expect(readPlain(5, shape, "it")).toEqual({
      ok: false,
      problems: [{ code: "wrong-type", message: "it must be an object, not the number 5" }],
    });
  });

  it("is read by a part of it, whatever else it holds", () => {
    const one: Record<string, unknown> = { name: "x" };
    one["self"] = one;
    expect(plainOf(only(one, ["name", "tags"]), shape)).toEqual({ name: "x", tags: [] });
    expect(only(5, ["name"])).toBe(5);
  });
});

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
