import { failingChecks } from "../../improve/failing.ts";
import type { Measured, Stopped } from "../../improve/loop/improve.ts";
import { scoreOf } from "../../improve/loop/score.ts";
import type { CaseSplit } from "../../improve/loop/split-cases.ts";
import { type Undecided, undecidedOf } from "../../improve/loop/undecided.ts";
import { plural } from "../../lib/plural.ts";
import type { Machine } from "../../machine.ts";
import { readFeedback } from "./feedback.ts";
import type { VersionRun } from "./run-version.ts";
import type { Versions } from "./versions.ts";

interface Measuring {
  readonly versions: Versions;
  readonly split: CaseSplit;
  readonly allowMissing: number;
  readonly machine: Machine;
}

/** How a version did in its run, kept with the version. A run that leaves too much open stops the rounds. */
export async function measureVersion(
  version: number,
  run: VersionRun,
  { versions, split, allowMissing, machine }: Measuring,
): Promise<Measured | Stopped> {
  const stopped = whyStopped(run);
  if (stopped !== null) return stopped;
  const { state } = run;
  const score = scoreOf(state, split, state.iteration?.number ?? 0);
  const missing = undecidedOf(state);
  if (score.all === null || missing.count > allowMissing)
    return { status: "stopped", why: "unfinished", message: undecidedText(version, missing) };
  await versions.rate(version, { iteration: score.iteration, score: score.all });
  return {
    status: "measured",
    score,
    failing: failingChecks(state, new Set(split.train)),
    feedback: await readFeedback(run.folder, machine),
  };
}

function whyStopped({ ended }: VersionRun): Stopped | null {
  switch (ended) {
    case "complete":
      return null;
    case "interrupted":
      return { status: "stopped", why: "interrupted", message: "interrupted" };
  }
}

function undecidedText(version: number, { count, reason }: Undecided): string {
  const why = reason === null ? "" : ` (${reason.slice(0, 300)})`;
  return `${plural(count, "check")} of v${version} could not be decided${why}; --allow-missing ${count} continues without them`;
}
