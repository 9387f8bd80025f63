import { CANARY_ID, canaryPrompt, type ProbedSkill, toExtras } from "../domain/canary.ts";
import { type LeftOutStatus, type Run, countsAs } from "../domain/run.ts";
import { isSameSkill, type Skill } from "../domain/skill.ts";
import { type Case, plainCase } from "../domain/suite.ts";
import type { CanarySummary } from "../domain/triggers.ts";
import { firedIn, type ProbeRun } from "./probe.ts";

/** The query that must fire wherever anything can. */
export function canaryCase(skill: Skill, { format, at }: Case, rivals: readonly string[]): Case {
  return {
    ...plainCase({
      id: CANARY_ID,
      declaredId: null,
      kind: "trigger",
      format,
      at,
      prompt: { kind: "turns", turns: [canaryPrompt(skill.name)] },
    }),
    name: "canary: a query that names the skill",
    checks: [
      {
        id: "fires",
        layer: "trigger",
        text: "the skill fires when it is asked for by name",
        appliesTo: "every-variant",
        origin: null,
        kind: "fires",
        expected: true,
        skill: null,
        forbidden: [],
      },
    ],
    extras: toExtras({
      name: skill.name,
      description: skill.description,
      layout: skill.layout,
      modelMayCall: skill.frontmatter["disable-model-invocation"] !== true,
      rivals,
    }),
  };
}

export function summarizeCanary(probes: readonly ProbeRun[], skill: ProbedSkill | null): CanarySummary {
  if (probes.some(firedIn)) return { status: "fired", runs: probes.length };
  const silent = probes.filter(({ run }) => isAnswer(run));
  if (silent.length > 0) {
    return { status: "silent", runs: silent.length, cause: likelyCause(silent, skill) };
  }
  const outcome = probes[0]?.run.outcome;
  if (outcome === undefined) return { status: "unknown", reason: "no canary was run" };
  const message = "message" in outcome ? outcome.message : "";
  return { status: "unknown", reason: `the canary ended as ${outcome.status}: ${message}` };
}

/** A run that is invalid tells about the set-up, which is what a canary is for; other left-out runs tell nothing. */
function isAnswer({ outcome }: Run): boolean {
  return countsAs(outcome) !== "left-out" || (outcome.status as LeftOutStatus) === "invalid";
}

/** Why a skill that was asked for by name did not fire, as far as the runs show. */
function likelyCause(probes: readonly ProbeRun[], skill: ProbedSkill | null): string {
  const own = skill?.name ?? null;
  const taken = probes.flatMap(({ run }) => run.activations.map((activation) => activation.skill));
  const offered = probes.flatMap(({ run }) => run.skillsOffered ?? []);
  if (own !== null && [...taken, ...offered].some((name) => isSameSkill(name, own))) {
    return `another copy of ${own} shadows the one under test: it is installed for the user or by a plugin, and the client sees it`;
  }
  const denial = probes.flatMap(({ run }) => run.denials)[0];
  if (denial !== undefined) {
    return `permissions: the client refused the tool ${denial.tool}; look at --permission-mode and --allowed-tools`;
  }
  if (skill !== null && !skill.modelMayCall) {
    return "its frontmatter says disable-model-invocation, so no model can load it";
  }
  const isHidden = probes.some(
    ({ run, probe }) =>
      run.skillsOffered !== null && !run.skillsOffered.some((name) => isSameSkill(name, probe)),
  );
  if (skill?.layout === "command") {
    return "it is a command file, which in this client only people can call, not the model; turn it into a skill with a SKILL.md";
  }
  if (isHidden) {
    return "the client does not list the skill: look at its frontmatter with assay check, and at the client's own limits";
  }
  const invalid = probes.map(({ run }) => run.outcome).find(({ status }) => status === "invalid");
  if (invalid !== undefined && "message" in invalid) return invalid.message;
  return "unknown: the client refused nothing, yet the model did not load the skill; look at the canary's transcript";
}
