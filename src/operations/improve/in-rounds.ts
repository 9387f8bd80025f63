import type { JsonObject } from "../../domain/json.ts";
import type { Case, Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { ImproveEvent } from "../../improve/event.ts";
import { type Confirmation, overfitting } from "../../improve/loop/confirmation.ts";
import { improveSkill, type LoopEnd, type LoopOutcome, type LoopParts } from "../../improve/loop/improve.ts";
import { adoptedVersion, leadingVersion, type Round } from "../../improve/loop/record.ts";
import { type CaseSplit, splitCases } from "../../improve/loop/split-cases.ts";
import type { Machine } from "../../machine.ts";
import { adopt, type Adoption, ensureCommitted } from "./adopt.ts";
import { beginRounds, restart } from "./begin.ts";
import { type SkillChange, changeOf, isChanged } from "./change.ts";
import { proposerOf } from "./judge.ts";
import { lockLoop } from "./lock.ts";
import { loopParts } from "./loop-parts.ts";
import { versionRunner } from "./run-version.ts";
import { tellCost } from "./tell-cost.ts";
import type { MeteredCall, CallSpending } from "./spending.ts";
import { versionRuns } from "./version-runs.ts";

export interface Improvement {
  /** Earlier calls' rounds included; round N is about version N. */
  readonly rounds: readonly Round[];
  /** The version that the next draft would start from. */
  readonly leading: number;
  /** The newest version that fresh runs confirmed, else 0. */
  readonly best: number;
  /** How the leading version did in fresh runs; null: nothing leads the adopted one, or it was not run anew. */
  readonly confirmation: Confirmation | null;
  readonly end: LoopEnd;
  /** Why the gain may not hold for other cases; null: no reason to worry. */
  readonly warning: string | null;
  /** Ids of the cases that are learnt from, and of those that are not shown to the model. */
  readonly split: CaseSplit;
  /** The file that tells the rounds. */
  readonly history: string;
  /** From the skill as it is to the best version. */
  readonly change: SkillChange;
  readonly adoption: Adoption;
  /** Of this call alone. */
  readonly spending: CallSpending;
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
  /** Of each version on each case, to confirm one. */
  readonly freshRuns: number;
  /** Adopt also what is no worse and costs less. */
  readonly acceptEqual: boolean;
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
  const runner = await versionRunner(call, cases, signal);
  listen({ kind: "asking", judge: judge.name, model: judge.model, wanted: "versions" });
  const split = splitCases(
    cases.map(({ id }) => id),
    options.seed,
  );
  const about: JsonObject = {
    harness: runner.harness,
    model: runner.model,
    runs: options.runs,
    fresh_runs: wishes.freshRuns,
    cases: split.train,
    held_out: split.heldOut,
  };
  const begun = await beginRounds(place, about, machine);
  const learning = cases.filter(({ id }) => split.train.includes(id));
  const told = await tellCost({ ...wishes, learning, cases, runner }, call, listen);
  const runOf = versionRuns(begun.versions, { runner, cases: learning }, signal);
  const { freshRuns, edits: mostEdits, acceptEqual } = wishes;
  const parts = {
    call,
    begun,
    about,
    split,
    judge,
    runner,
    cases,
    runOf,
    freshRuns,
    mostEdits,
    tell: listen,
  };
  const effects = loopParts(parts, signal);
  const measure: LoopParts["measure"] = async (version, leader) => {
    const measured = await effects.measure(version, leader);
    await told.again();
    return measured;
  };
  const outcome = await improveSkill(
    begun.opened.record,
    { ...effects, measure },
    {
      rounds: wishes.rounds,
      goal: wishes.goal,
      maxMs: wishes.maxMinutes === null ? null : wishes.maxMinutes * 60_000,
      patience: PATIENCE,
      acceptEqual,
    },
  );
  const best = await begun.versions.read(adoptedVersion(outcome));
  const change = await changeOf(place, best?.text ?? place.skillText, best?.files);
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
  outcome: LoopOutcome,
  change: SkillChange,
  { apply, machine }: { apply: boolean; machine: Machine },
): Promise<Adoption> {
  if (!apply) return { status: "not-asked" };
  if (outcome.end.kind === "stopped") return { status: "withheld", why: "unfinished" };
  if (isChanged(change)) return adopt(change, machine);
  const isConfirmed = leadingVersion(outcome) === adoptedVersion(outcome);
  return isConfirmed ? { status: "nothing-new" } : { status: "withheld", why: "unconfirmed" };
}

function summed(
  outcome: LoopOutcome,
): Pick<Improvement, "rounds" | "leading" | "best" | "confirmation" | "end" | "warning"> {
  const { rounds, confirmations, end } = outcome;
  const [leading, best] = [leadingVersion(outcome), adoptedVersion(outcome)];
  const confirmation = confirmations.at(-1) ?? null;
  const found = confirmation?.adopted === true ? confirmation.found : null;
  return { rounds, leading, best, confirmation, end, warning: found && overfitting(found) };
}
