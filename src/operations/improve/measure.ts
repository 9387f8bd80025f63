import { failingChecks } from "../../improve/failing.ts";
import type { Measured, Stopped } from "../../improve/loop/improve.ts";
import { meanScore, type RunScores, runScores } from "../../improve/loop/score.ts";
import type { CaseSplit } from "../../improve/loop/split-cases.ts";
import { type Undecided, undecidedOf } from "../../improve/loop/undecided.ts";
import { plural } from "../../lib/plural.ts";
import type { Machine } from "../../machine.ts";
import { feedbackOnSkill } from "./feedback.ts";
import type { VersionRun } from "./run-version.ts";
import type { Versions } from "./versions.ts";

interface Measuring {
  readonly versions: Versions;
  readonly split: CaseSplit;
  /** Whether the version fell so far behind that it was not run further. */
  readonly isOutrun: (scores: RunScores) => boolean;
  readonly allowMissing: number;
  readonly machine: Machine;
}

/** How a version did in its run, kept with the version. A run that leaves too much open stops the rounds. */
export async function measureVersion(
  version: number,
  run: VersionRun,
  { versions, split, isOutrun, allowMissing, machine }: Measuring,
): Promise<Measured | Stopped> {
  const open = whyOpen(`v${version}`, run, allowMissing);
  if (open !== null) return open;
  const { state } = run;
  const scores = runScores(state, split.train);
  const score = { iteration: state.iteration?.number ?? 0, train: meanScore(scores) };
  if (score.train === null) return unfinished(`v${version}`, undecidedOf(state));
  await versions.rate(version, { iteration: score.iteration, score: score.train });
  return {
    status: "measured",
    score,
    dropped: isOutrun(scores),
    failing: failingChecks(state, new Set(split.train)),
    feedback: await feedbackOnSkill(run, machine),
  };
}

/** Why a run says too little; null: it says enough. */
export function whyOpen(name: string, run: VersionRun, allowMissing: number): Stopped | null {
  const stopped = whyStopped(run);
  if (stopped !== null) return stopped;
  const missing = undecidedOf(run.state);
  return missing.count > allowMissing ? unfinished(name, missing) : null;
}

function unfinished(name: string, missing: Undecided): Stopped {
  return { status: "stopped", why: "unfinished", message: undecidedText(name, missing) };
}

function whyStopped({ ended }: VersionRun): Stopped | null {
  switch (ended) {
    case "complete":
      return null;
    case "interrupted":
      return { status: "stopped", why: "interrupted", message: "interrupted" };
  }
}

function undecidedText(name: string, { count, reason }: Undecided): string {
  const why = reason === null ? "" : ` (${reason.slice(0, 300)})`;
  return `${plural(count, "check")} of ${name} could not be decided${why}; --allow-missing ${count} continues without them`;
}
