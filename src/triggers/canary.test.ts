import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import type { ProbedSkill } from "../domain/canary.ts";
import { probedSkillOf } from "../domain/canary.ts";
import type { Run } from "../domain/run.ts";
import { aRun } from "../../test/support/runs.ts";
import { aQuery, aSkill } from "../../test/support/triggers.ts";
import { canaryCase, summarizeCanary } from "./canary.ts";

const SKILL: ProbedSkill = {
  name: "greeter",
  description: null,
  layout: "directory",
  modelMayCall: true,
  rivals: [],
};
const PROBE = "greeter-01234567";
const probes = (...runs: Partial<Run>[]) => runs.map((run) => ({ run: aRun(run), probe: PROBE }));
const activation = (skill: string) => ({ skill, by: "tool" as const, event: 0 });

describe("canaryCase", () => {
  it("keeps what is being probed, for whoever reads the journal", () => {
    const skill = aSkill({ layout: "command", frontmatter: { "disable-model-invocation": true } });
    expect(probedSkillOf([aQuery("q", true), canaryCase(skill, aQuery("q", true), ["adder"])])).toEqual({
      name: "greeter",
      description: "Greets people by name.",
      layout: "command",
      modelMayCall: false,
      rivals: ["adder"],
    });
    expect(probedSkillOf([aQuery("q", true)])).toBeNull();
  });
});

describe("summarizeCanary", () => {
  it.each([
    ["one that fires is enough", probes({}, { activations: [activation(PROBE)] }), "fired"],
    ["none fires", probes({}, {}), "silent"],
    ["an invalid run is an answer", probes({ outcome: leftOut("invalid", "x") }), "silent"],
    ["a service that fails is none", probes({ outcome: leftOut("auth", "no key") }), "unknown"],
    ["nothing was run", [], "unknown"],
  ])("%s", (_, seen, status) => {
    expect(summarizeCanary(seen, SKILL).status).toBe(status);
  });

  it.each<[string, Partial<Run>, Partial<ProbedSkill>, RegExp]>([
    [
      "the model called the skill's own name",
      { activations: [activation("greeter")] },
      {},
      /another copy of greeter shadows/,
    ],
    [
      "the client offers the skill's own name",
      { skillsOffered: ["greeter", PROBE] },
      {},
      /another copy of greeter shadows/,
    ],
    ["a copy of a plugin", { skillsOffered: ["plug:greeter", PROBE] }, {}, /another copy/],
    [
      "the client refused",
      { denials: [{ tool: "Skill", input: {} }], skillsOffered: [PROBE] },
      {},
      /permissions.*Skill.*--allowed-tools/,
    ],
    ["the skill forbids it", { skillsOffered: [] }, { modelMayCall: false }, /disable-model-invocation/],
    ["a command that is not listed", { skillsOffered: [] }, { layout: "command" }, /command file/],
    ["a command, with no listing to be seen", {}, { layout: "command" }, /command file/],
    ["not listed", { skillsOffered: ["adder"] }, {}, /does not list the skill/],
    ["cut short", { outcome: leftOut("invalid", "ended at the deadline") }, {}, /ended at the deadline/],
    ["no trace of a cause", { skillsOffered: [PROBE] }, {}, /look at the canary's transcript/],
  ])("likely cause: %s", (_, run, skill, cause) => {
    const canary = summarizeCanary(probes(run), { ...SKILL, ...skill });
    expect(canary.status === "silent" && canary.cause).toMatch(cause);
  });
});
