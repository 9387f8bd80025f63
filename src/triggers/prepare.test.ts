import { describe, expect, it } from "vitest";
import { aCase, aSuite } from "../../test/support/cases.ts";
import { aQuery, aSkill } from "../../test/support/triggers.ts";
import { prepareTriggers } from "./prepare.ts";
import { claimOf } from "./query.ts";

const skill = aSkill();

describe("prepareTriggers", () => {
  it("adds one canary to a suite with trigger queries, behind all others", () => {
    const { suite } = prepareTriggers(aSuite([aCase(), aQuery("q", true)], { skill }), []);
    expect(suite.cases.map(({ id }) => id)).toEqual(["1", "q", "assay:canary"]);
  });

  it.each([
    ["without trigger queries", aSuite([aCase()], { skill })],
    ["without a skill", aSuite([aQuery("q", true)])],
  ])("leaves a suite alone %s", (_, suite) => {
    expect(prepareTriggers(suite, [])).toEqual({ suite, notes: [] });
  });

  it.each([
    { about: "the skill under test by name", expected: true, named: "greeter", asked: null },
    { about: "the skill under test, as a near miss", expected: false, named: "greeter", asked: null },
    { about: "a rival that is staged", expected: false, named: "adder", asked: "adder" },
    { about: "a rival that is not", expected: false, named: "waver", asked: null, notes: 1 },
    { about: "another skill that must fire", expected: true, named: "waver", asked: "waver" },
  ])("$about", ({ expected, named, asked, notes = 0 }) => {
    const suite = aSuite([aQuery("q", expected, { skill: named })], { skill });
    const prepared = prepareTriggers(suite, ["adder"]);
    const [first] = prepared.suite.cases;
    expect(first === undefined ? undefined : claimOf(first).skill).toBe(asked);
    expect(prepared.notes).toHaveLength(notes);
  });
});
