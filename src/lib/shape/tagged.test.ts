import { describe, expect, it } from "vitest";
import { parseJson } from "../document/json.ts";
import { object, required } from "./object.ts";
import { INVALID, ROOT, type ShapeProblem } from "./shape.ts";
import { tagged } from "./tagged.ts";
import { int, oneOf, refine, text } from "./values.ts";

const circle = object({ type: required(oneOf(["circle"])), radius: required(int()) });
const label = object({ type: required(oneOf(["label"])), text: required(text()) });
const figure = tagged<string>("type", {
  circle: refine(circle, (values) => `circle ${values.radius}`),
  label: refine(label, (values) => `label ${values.text}`),
});

function read(json: string): unknown {
  const parsed = parseJson(json);
  if (!parsed.ok) throw new Error("not JSON");
  const problems: ShapeProblem[] = [];
  const value = figure.read(parsed.root, { path: ROOT, report: (problem) => problems.push(problem) });
  return value === INVALID
    ? problems.map(
        (problem) => `${problem.offset} ${problem.code}: ${problem.message} (${problem.hint ?? ""})`,
      )
    : value;
}

describe("tagged", () => {
  it.each([
    ['{"type":"circle","radius":2}', "circle 2"],
    ['{"type":"label","text":"a"}', "label a"],
  ])("reads %s by its tag", (json, value) => {
    expect(read(json)).toBe(value);
  });

  it.each([
    ["[]", "0 wrong-type: the file must be an object, not a list ()"],
    ["{}", '0 missing-key: the file has no "type", which is required (one of circle, label)'],
    ['{"type":1}', "8 wrong-type: the file.type must be a string ()"],
    [
      '{"type":"cirle"}',
      '8 not-a-choice: the file.type is "cirle", which is not known (did you mean "circle"?)',
    ],
    [
      '{"type":"toString"}',
      '8 not-a-choice: the file.type is "toString", which is not known (one of circle, label)',
    ],
    ['{"type":"circle"}', '0 missing-key: the file has no "radius", which is required ()'],
  ])("says what is wrong with %s", (json, problem) => {
    expect(read(json)).toEqual([problem]);
  });

  it("describes every shape to editors", () => {
    expect(figure.schema).toEqual({ anyOf: [circle.schema, label.schema] });
  });
});
