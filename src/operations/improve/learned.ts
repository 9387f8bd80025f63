import { basename } from "node:path";
import { speaksForSkill } from "../../domain/iteration.ts";
import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { skillDigest } from "../../iteration/digests.ts";
import type { Machine } from "../../machine.ts";
import { listIterations } from "../../store/iterations.ts";
import { findIteration, type FoundIteration } from "../find-run.ts";
import { isNamedByFolder } from "../import/import.ts";
import type { Place } from "./place.ts";

/** An iteration whose failures say what to change. */
export interface Learned extends FoundIteration {
  /** `iteration-N`. */
  readonly name: string;
}

export interface NothingFailing {
  readonly status: "nothing-failing";
  readonly iteration: string;
  /** Checks, in all runs. */
  readonly passed: number;
  readonly unscored: number;
}

/** The iteration of that name, else the skill's newest of those that speak for it: a rejected draft's failures are not its own. */
export async function learnedIteration(
  named: string | null,
  { suite, results, folder }: Place,
  machine: Pick<Machine, "cwd" | "env" | "note">,
): Promise<Learned> {
  if (named === null && (await listIterations(folder.root)).length === 0) throw notRun(suite.name);
  const found = await findIteration(named ?? suite.name, { machine, results }, speaksForSkill);
  if (named === null && found.state.iteration !== null && !speaksForSkill(found.state.iteration))
    throw notRun(suite.name);
  const about = found.state.iteration?.suite;
  if (about === suite.name || isNamedByFolder(found.state.iteration?.options))
    return { ...found, name: basename(found.folder.root) };
  throw new UserError(
    "improve/other-skill",
    `${found.folder.root} is about the skill ${JSON.stringify(about)}, not ${JSON.stringify(suite.name)}`,
    { hint: `choose an iteration of ${suite.name}, or another --workspace` },
  );
}

function notRun(name: string): UserError {
  return new UserError(
    "improve/not-run",
    `${name} was not run yet with all of its cases, so nothing is known to fail`,
    {
      hint: "assay run runs it; --iteration picks one of single cases, --workspace another place for results",
    },
  );
}

/** For an iteration without a failing check. Throws where nothing was graded either. */
export function nothingFailing({ state, name }: Learned): NothingFailing {
  const verdicts = [...state.gradings.values()].flatMap((grading) => grading.verdicts);
  const count = (wanted: string) => verdicts.filter(({ status }) => status === wanted).length;
  if (verdicts.length > 0) {
    return {
      status: "nothing-failing",
      iteration: name,
      passed: count("passed"),
      unscored: count("unscored"),
    };
  }
  throw new UserError("improve/ungraded", `nothing in ${name} is graded, so nothing is known to fail`, {
    hint: "assay grade grades it; assay run runs the cases again",
  });
}

export async function noteChanged(
  { state, name }: Learned,
  skill: Skill,
  { note }: Pick<Machine, "note">,
): Promise<void> {
  const then = state.iteration?.skill?.sha256;
  if (then === undefined || then === (await skillDigest(skill))) return;
  note(
    `the skill was changed after ${name} was run, so its failures may be out of date; assay run makes new ones`,
  );
}
