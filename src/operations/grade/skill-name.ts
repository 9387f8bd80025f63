import { probedSkillOf } from "../../domain/canary.ts";
import type { Case } from "../../domain/suite.ts";
import { probeName } from "../../triggers/probe.ts";
import type { FoundIteration } from "../find-run.ts";

/** The name a client knew the skill by: in probes one that only the trial has. */
export function skillNameOf({ state }: FoundIteration) {
  const { iteration, cases } = state;
  const skill = iteration?.skill === null ? null : (probedSkillOf(cases)?.name ?? iteration?.suite ?? null);
  return (one: Case, trial: { readonly key: string }): string | null =>
    skill === null || one.kind === "task" ? skill : probeName(skill, trial);
}
