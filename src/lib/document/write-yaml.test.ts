import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PlainValue, toPlain } from "./node.ts";
import { writeYaml } from "./write-yaml.ts";
import { parseYaml } from "./yaml.ts";

function again(value: PlainValue): unknown {
  const parsed = parseYaml(writeYaml(value));
  return parsed.ok ? toPlain(parsed.root) : parsed.problems;
}

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("a", " ", "\n", "\t", "\r", ": ", "# ", "- ", "'", '"', "|", ">", "\u0085"))
    .map((parts) => parts.join("")),
);
const key = text.filter((name) => name !== "__proto__");
const { value } = fc.letrec<{ value: PlainValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe("writeYaml", () => {
  it("writes what parseYaml reads back", () => {
    fc.assert(
      fc.property(value, (sample) => {
        expect(again(sample)).toEqual(sample);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    "2025-01-15",
    "2025-01-15T10:30:00Z",
    "1",
    "1e3",
    "true",
    "null",
    "~",
    "",
    " ",
    "0x1f",
    "- a",
    "a: b",
    "#",
  ])("keeps the string %j a string", (sample) =>
    expect(again({ prompt: sample })).toEqual({ prompt: sample }),
  );

  it("writes several lines as a block and never folds a long one", () => {
    const long = "word ".repeat(60).trim();
    expect(writeYaml({ expected: "one\ntwo\n", prompt: long })).toBe(
      `expected: |\n  one\n  two\nprompt: ${long}\n`,
    );
  });
});
