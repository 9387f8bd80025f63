import type { JsonObject } from "../../domain/json.ts";
import type { Case, Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { ImproveEvent } from "../../improve/event.ts";
import { improveSkill, type LoopEnd, type LoopOutcome } from "../../improve/loop/improve.ts";
import { bestVersion, overfitting, type Round } from "../../improve/loop/record.ts";
import { type CaseSplit, splitCases } from "../../improve/loop/split-cases.ts";
import type { Machine } from "../../machine.ts";
import { adopt, type Adoption, ensureCommitted } from "./adopt.ts";
import { beginRounds, restart } from "./begin.ts";
import { type Change, changeOf } from "./change.ts";
import { proposerOf } from "./judge.ts";
import { lockLoop } from "./lock.ts";
import { loopParts } from "./loop-parts.ts";
import { versionRunner } from "./run-version.ts";
import type { MeteredCall, Spending } from "./spending.ts";
import { versionRuns } from "./version-runs.ts";

export interface Improvement {
  /** Earlier calls' rounds included; round N is about version N. */
  readonly rounds: readonly Round[];
  /** The version that the next call would start from. */
  readonly best: number;
  readonly end: LoopEnd;
  /** Why the gain may not hold for other cases; null: no reason to worry. */
  readonly warning: string | null;
  /** Ids of the cases that are learnt from, and of those that are not shown to the model. */
  readonly split: CaseSplit;
  /** The file that tells the rounds. */
  readonly history: string;
  /** From the skill as it is to the best version. */
  readonly change: Change;
  readonly adoption: Adoption;
  /** Of this call alone. */
  readonly spending: Spending;
}

/** The loop ends when this many rounds in a row gain nothing. */
const PATIENCE = 2;

export interface RoundsWishes {
  /** Versions beside v0. */
  readonly rounds: number;
  /** Enough is passing from this share on. */
  readonly goal: number;
  readonly maxMinutes: number | null;
  readonly restart: boolean;
  /** In one draft. */
  readonly edits: number;
  readonly apply: boolean;
}

/** The loop on an opened skill: alone in its folder, from where earlier rounds ended. */
export async function improveInRounds(
  call: MeteredCall,
  { wishes, listen }: { wishes: RoundsWishes; listen: (event: ImproveEvent) => void },
  signal: AbortSignal,
): Promise<Improvement> {
  const { place, models } = call;
  const { machine, options } = call.request;
  if (wishes.apply) await ensureCommitted(place.skill.file, machine);
  const cases = casesWithChecks(place.suite);
  const judge = proposerOf(models.find);
  await using _lock = await lockLoop(place.folder);
  if (wishes.restart) await restart(place, machine);
  const runner = await versionRunner(call, cases);
  listen({ kind: "asking", judge: judge.name, model: judge.model, wanted: "versions" });
  const split = splitCases(
    cases.map(({ id }) => id),
    options.seed,
  );
  const about: JsonObject = {
    harness: runner.harness,
    model: runner.model,
    runs: options.runs,
    cases: split.train,
    held_out: split.heldOut,
  };
  const begun = await beginRounds(place, about, machine);
  const runOf = versionRuns(begun.versions, { runner, cases }, signal);
  const parts = { call, begun, about, split, judge, runOf, mostEdits: wishes.edits, tell: listen };
  const outcome = await improveSkill(begun.opened.rounds, loopParts(parts, signal), {
    rounds: wishes.rounds,
    goal: wishes.goal,
    maxMs: wishes.maxMinutes === null ? null : wishes.maxMinutes * 60_000,
    patience: PATIENCE,
  });
  const best = await begun.versions.read(bestVersion(outcome.rounds));
  const change = changeOf(place, best?.text ?? place.skillText);
  const adoption = await adoptionOf(outcome, change, { apply: wishes.apply, machine });
  const spending = call.spent();
  return { ...summed(outcome), split, history: place.folder.history, change, adoption, spending };
}

function casesWithChecks({ name, cases }: Suite): readonly Case[] {
  const found = cases.filter(({ kind, checks }) => kind === "task" && checks.length > 0);
  if (found.length > 0) return found;
  throw new UserError("improve/no-cases", `${name} has no case with checks to improve it by`, {
    hint: "assay propose drafts some; --description improves when the skill fires",
  });
}

async function adoptionOf(
  { end }: LoopOutcome,
  change: Change,
  { apply, machine }: { apply: boolean; machine: Machine },
): Promise<Adoption> {
  if (!apply) return { status: "not-asked" };
  if (change.after === change.before) return { status: "nothing-new" };
  return end.kind === "stopped" ? { status: "withheld", why: "unfinished" } : adopt(change, machine);
}

function summed({ rounds, end }: LoopOutcome): Pick<Improvement, "rounds" | "best" | "end" | "warning"> {
  const best = bestVersion(rounds);
  const [baseline] = rounds;
  const chosen = rounds[best];
  const warning =
    baseline === undefined || chosen === undefined ? null : overfitting(chosen.score, baseline.score);
  return { rounds, best, end, warning };
}
