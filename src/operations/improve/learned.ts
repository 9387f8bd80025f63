import { basename } from "node:path";
import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { skillDigest } from "../../iteration/digests.ts";
import type { Machine } from "../../machine.ts";
import { listIterations } from "../../store/iterations.ts";
import { findIteration, type FoundIteration } from "../find-run.ts";
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

/** The iteration of that name, else the skill's newest. */
export async function learnedIteration(
  named: string | null,
  { suite, results, folder }: Place,
  { cwd }: Pick<Machine, "cwd">,
): Promise<Learned> {
  if (named === null && (await listIterations(folder.root)).length === 0) {
    throw new UserError("improve/not-run", `${suite.name} was not run yet, so nothing is known to fail`, {
      hint: "assay run runs it; --workspace names another place for results",
    });
  }
  const found = await findIteration(named ?? suite.name, { cwd, results });
  const about = found.state.iteration?.suite;
  if (about === suite.name) return { ...found, name: basename(found.folder.root) };
  throw new UserError(
    "improve/other-skill",
    `${found.folder.root} is about the skill ${JSON.stringify(about)}, not ${JSON.stringify(suite.name)}`,
    { hint: `name an iteration of ${suite.name}, or another --workspace` },
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
