import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../document/json.ts";
import { parseYaml } from "../document/yaml.ts";
import { object, optional, optionalOrNull, required } from "./object.ts";
import { below, INVALID, pathText, ROOT, type Shape, type ShapeProblem } from "./shape.ts";
import {
  anything,
  bool,
  int,
  list,
  located,
  nullable,
  number,
  oneOf,
  record,
  refine,
  text,
} from "./values.ts";

interface Reading {
  readonly value: unknown;
  readonly said: readonly string[];
}

function read(shape: Shape<unknown>, json: string, parse = parseJson): Reading {
  const parsed = parse(json);
  if (!parsed.ok) throw new Error(`cannot be parsed: ${json}`);
  const problems: ShapeProblem[] = [];
  const value = shape.read(parsed.root, { path: ROOT, report: (problem) => problems.push(problem) });
  const said = problems.map(({ severity, offset, code, message, hint }) =>
    [severity, offset, code, message, ...(hint === undefined ? [] : [`(${hint})`])].join(" "),
  );
  return { value, said };
}

describe("a value", () => {
  it.each<[string, Shape<unknown>, string, unknown]>([
    ["text", text(), '"a"', "a"],
    ["blank text where allowed", text({ blank: "allowed" }), '""', ""],
    ["an integer", int(), "-2", -2],
    ["an integer at its bound", int({ min: 1, max: 3 }), "3", 3],
    ["a number", number(), "2", 2],
    ["a number with a fraction", number({ min: 0, max: 1 }), "0.5", 0.5],
    ["a truth value", bool(), "false", false],
    ["one of several", oneOf(["a", "b"]), '"b"', "b"],
    ["null where allowed", nullable(int()), "null", null],
    ["more than null where allowed", nullable(int()), "1", 1],
    ["anything at all", anything(), '{"a": [1, null]}', { a: [1, null] }],
    ["a list", list(int()), "[1, 2]", [1, 2]],
    ["an empty list", list(int()), "[]", []],
    ["free keys", record(int()), '{"a": 1, "b": 2}', { a: 1, b: 2 }],
    ["a value with its place", located(int()), " 7", { value: 7, offset: 1 }],
    ["what a rule makes of it", refine(int(), (value) => value * 2), "4", 8],
  ])("is read: %s", (_, shape, json, value) => {
    expect(read(shape, json)).toEqual({ value, said: [] });
  });

  it.each<[string, Shape<unknown>, string, string[]]>([
    ["a number for text", text(), "1", ["error 0 wrong-type the file must be a string, not the number 1"]],
    ["blank text", text(), '" "', ["error 0 blank the file must not be blank"]],
    [
      "a float for an integer",
      int(),
      "2.0",
      ["error 0 wrong-type the file must be an integer, not the float 2.0"],
    ],
    [
      "an integer in quotes",
      int(),
      '"2"',
      ['error 0 wrong-type the file must be an integer, not the string "2" (write 2 without quotes)'],
    ],
    ["true for an integer", int(), "true", ["error 0 wrong-type the file must be an integer, not true"]],
    ["too small", int({ min: 1 }), "0", ["error 0 out-of-range the file must be at least 1, not 0"]],
    ["too large", number({ max: 1 }), "1.5", ["error 0 out-of-range the file must be at most 1, not 1.5"]],
    [
      "outside of both bounds",
      number({ min: 0, max: 1 }),
      "-1",
      ["error 0 out-of-range the file must be between 0 and 1, not -1"],
    ],
    [
      "a word for a truth value",
      bool(),
      '"yes"',
      ['error 0 wrong-type the file must be true or false, not the string "yes"'],
    ],
    [
      "no choice",
      oneOf(["alpha", "beta"]),
      '"alhpa"',
      ['error 0 not-a-choice the file must be one of "alpha", "beta", not "alhpa" (did you mean "alpha"?)'],
    ],
    ["an empty list", list(int(), { minLength: 1 }), "[]", ["error 0 empty-list the file must not be empty"]],
    [
      "an object for a list",
      list(int()),
      "{}",
      ["error 0 wrong-type the file must be a list, not an object"],
    ],
    [
      "a list for free keys",
      record(int()),
      "[]",
      ["error 0 wrong-type the file must be an object, not a list"],
    ],
  ])("is refused: %s", (_, shape, json, said) => {
    expect(read(shape, json)).toEqual({ value: INVALID, said });
  });

  it("that has many problems has all of them said", () => {
    const shape = list(record(int({ min: 0 })));
    expect(read(shape, '[{"a": -1}, 5, {"b": 1, "c": "x"}]')).toEqual({
      value: INVALID,
      said: [
        "error 7 out-of-range [0].a must be at least 0, not -1",
        "error 12 wrong-type [1] must be an object, not the number 5",
        'error 29 wrong-type [2].c must be an integer, not the string "x"',
      ],
    });
  });

  it("that has the wrong shape is not shown to a rule", () => {
    const shape = refine(int(), () => {
      throw new Error("must not be called");
    });
    expect(read(shape, '"x"').value).toBe(INVALID);
  });
});

describe("an object", () => {
  const person = object(
    {
      name: required(text()),
      age: optional(int()),
      tags: optional(list(text()), [] as readonly string[]),
      note: optionalOrNull(text()),
    },
    { hints: { alter: "age" } },
  );

  it("has every field, also those left out", () => {
    expect(read(person, '{"name": "Ada"}').value).toEqual({
      name: "Ada",
      age: null,
      tags: [],
      note: null,
      extras: {},
    });
  });

  it("takes null for left out only where that is said", () => {
    expect(read(person, '{"name": "Ada", "note": null}').said).toEqual([]);
    expect(read(person, '{"name": "Ada", "age": null}').said).toEqual([
      "error 23 wrong-type age must be an integer, not null",
    ]);
  });

  it("says what is missing and what is wrong at once", () => {
    expect(read(person, '{"age": "x", "tags": [1]}').said).toEqual([
      'error 0 missing-key the file has no "name", which is required',
      'error 8 wrong-type age must be an integer, not the string "x"',
      "error 22 wrong-type tags[0] must be a string, not the number 1",
    ]);
  });

  it("keeps unknown keys and says so, with the nearest right one", () => {
    const { value, said } = read(
      person,
      '{"name": "Ada", "nmae": 1, "alter": 3, "colour": [1], "_mine": true}',
    );
    expect(value).toMatchObject({ extras: { nmae: 1, alter: 3, colour: [1], _mine: true } });
    expect(said).toEqual([
      'note 16 unknown-key the file has the unknown key "nmae" (did you mean "name"?)',
      'note 27 unknown-key the file has the unknown key "alter" (did you mean "age"?)',
      'note 39 unknown-key the file has the unknown key "colour" (known keys: name, age, tags, note)',
    ]);
  });

  it("refuses unknown keys, or lets them be, where that is asked for", () => {
    const fields = { a: optional(int()) };
    const closed = read(object(fields, { unknownKeys: "error" }), '{"b": 1, "_c": 2}');
    expect(closed.value).toBe(INVALID);
    expect(closed.said).toEqual(['error 1 unknown-key the file has the unknown key "b" (did you mean "a"?)']);
    expect(read(object(fields, { unknownKeys: "allowed" }), '{"b": 1}').said).toEqual([]);
  });

  it("does not take the keys of every JavaScript object for its own", () => {
    const { value } = read(object({ a: optional(int()) }), '{"constructor": 1, "toString": 2}');
    expect(value).toEqual({ a: null, extras: { constructor: 1, toString: 2 } });
  });

  it("is read from YAML alike", () => {
    expect(read(person, "name: Ada\nage: 36\n", parseYaml)).toEqual({
      value: { name: "Ada", age: 36, tags: [], note: null, extras: {} },
      said: [],
    });
  });

  it("describes itself to editors", () => {
    expect(person.schema).toEqual({
      type: "object",
      properties: {
        name: { type: "string", pattern: "\\S" },
        age: { type: "integer" },
        tags: { type: "array", items: { type: "string", pattern: "\\S" } },
        note: { anyOf: [{ type: "string", pattern: "\\S" }, { type: "null" }] },
      },
      required: ["name"],
    });
    expect(object({ a: optional(number({ min: 0, max: 1 })) }, { unknownKeys: "error" }).schema).toEqual({
      type: "object",
      properties: { a: { type: "number", minimum: 0, maximum: 1 } },
      patternProperties: { "^_": {} },
      additionalProperties: false,
    });
  });
});

describe("every shape", () => {
  const shapes: readonly Shape<unknown>[] = [
    text(),
    int({ min: 0 }),
    number(),
    bool(),
    oneOf(["a"]),
    nullable(text()),
    list(int(), { minLength: 1 }),
    record(bool()),
    object({ a: required(int()), b: optionalOrNull(list(text())) }, { unknownKeys: "error" }),
  ];

  it("answers a value, or says at least one error; never both, and it never throws", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...shapes), (value, shape) => {
        fc.pre(!JSON.stringify(value).includes("__proto__"));
        const { value: answer, said } = read(shape, JSON.stringify(value));
        expect(answer === INVALID).toBe(said.some((one) => one.startsWith("error")));
      }),
    );
  });
});

describe("a place in words", () => {
  it("names keys and positions from the root", () => {
    const context = { path: ROOT, report: () => undefined };
    expect(pathText(ROOT)).toBe("the file");
    expect(pathText(below(below(below(context, "evals"), 2), "id").path)).toBe("evals[2].id");
    expect(pathText(below(context, 0).path)).toBe("[0]");
  });
});
