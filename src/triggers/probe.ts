import { createHash } from "node:crypto";
import { countsAs, type Run } from "../domain/run.ts";
import { isSameSkill } from "../domain/skill.ts";
import type { Trial } from "../domain/trial.ts";

/**
 * The name a skill is installed under for one probe: its own, with something that only this trial knows, so that no
 * other copy can be taken for it. The same trial always gets the same name.
 */
export function probeName(skill: string, trial: Pick<Trial, "key">): string {
  const mark = createHash("sha256").update(`probe ${trial.key}`).digest("hex").slice(0, 8);
  return `${skill.slice(0, LONGEST_NAME - mark.length - 1).replace(/-+$/, "")}-${mark}`;
}

/** Clients refuse longer names. */
const LONGEST_NAME = 64;

export interface ProbeRun {
  readonly run: Run;
  /** The name that the skill was installed under. */
  readonly probe: string;
}

/** A run that was left out says nothing, least of all "did not fire". */
export function isValid({ run }: ProbeRun): boolean {
  return countsAs(run.outcome) !== "left-out";
}

export function firedIn({ run, probe }: ProbeRun): boolean {
  return run.activations.some((activation) => isSameSkill(activation.skill, probe));
}

/** The other skills that were taken up in the run, each once, in order. */
export function othersIn({ run, probe }: ProbeRun): string[] {
  const others = run.activations.map(({ skill }) => skill).filter((skill) => !isSameSkill(skill, probe));
  return [...new Set(others)];
}
