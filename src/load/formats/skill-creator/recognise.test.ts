import { describe, expect, it } from "vitest";
import { parseDocument } from "../../document.ts";
import { skillCreator } from "./skill-creator.ts";

describe("recognise", () => {
  it.each([
    [
      { skill_name: "x", evals: [{ id: 1, prompt: "P", expectations: ["a"] }] },
      { dialect: "evals", confidence: "likely" },
    ],
    [{ evals: [{ id: 1, prompt: "P", assertions: ["a"] }] }, { dialect: "evals", confidence: "certain" }],
    [[{ prompt: "P" }], { dialect: "evals", confidence: "certain" }],
    [{ evals: 3 }, { dialect: "evals", confidence: "likely" }],
    [[{ query: "a", should_trigger: true }], { dialect: "triggers", confidence: "likely" }],
    [{ cases: [{ query: "a", should_trigger: true }] }, { dialect: "triggers", confidence: "certain" }],
    [
      { evals: [{ prompt: "P", should_trigger: true, assertions: ["a"] }] },
      { dialect: "evals", confidence: "likely" },
    ],
    [{ cases: [{ prompt: "P" }] }, null],
    [{ trigger_tests: { should_trigger: ["a"] }, assertions: [] }, null],
    [{}, null],
    [3, null],
  ])("%j", (value, expected) => {
    const document = parseDocument("/nowhere/evals.json", JSON.stringify(value), () => {});
    expect(document && skillCreator.recognise(document)).toEqual(expected);
  });

  it("leaves YAML to others", () => {
    const document = parseDocument("/nowhere/evals.yaml", "evals: [{prompt: P}]", () => {});
    expect(document && skillCreator.recognise(document)).toBeNull();
  });
});

describe("schemas", () => {
  it("describe each dialect", () => {
    expect(Object.keys(skillCreator.schemas)).toEqual(["evals", "triggers"]);
    expect(skillCreator.schemas["evals"]).toMatchObject({
      anyOf: [
        { type: "object", required: ["evals"], properties: { evals: { items: { required: ["prompt"] } } } },
        { type: "array", items: { properties: { prompt: { type: "string" } } } },
      ],
    });
    expect(skillCreator.schemas["triggers"]).toMatchObject({
      anyOf: [{ type: "array", items: { required: ["query", "should_trigger"] } }, {}, {}],
    });
  });
});
