import type { Plan } from "../../domain/plan.ts";
import type { Case } from "../../domain/suite.ts";
import type { Trial } from "../../domain/trial.ts";
import type { AboutToRun } from "../../machine.ts";
import { costOfTrials } from "../../plan/estimate.ts";
import type { JudgeFinder } from "../models/judges.ts";
import type { Survey } from "../survey.ts";
import { isJudged, judgeText } from "./judge.ts";

/** What is about to run, for whoever pays for it. */
export async function aboutToRun(
  plans: readonly Plan[],
  { find, sandbox, grade, concurrency }: AboutParts,
): Promise<AboutToRun> {
  const wanted = distinct(plans.map(({ ground }) => ground.sandbox));
  const sandboxes = await Promise.all(wanted.map(async (name) => (await sandbox(name)).name));
  const judged = grade ? plans.flatMap(({ suite }) => suite.cases.filter(isJudged)) : [];
  const left = plans.map(leftToRun);
  const trials = left.reduce((sum, one) => sum + one.trials.length, 0);
  return {
    kind: "about-to-run",
    skills: distinct(plans.map(({ suite }) => suite.name)),
    agents: distinct(plans.map(agentText)),
    models: distinct(plans.flatMap(({ model }) => model ?? [])),
    judges: distinct(judged.flatMap((one) => judgeTexts(one, find))),
    sandboxes: distinct(sandboxes),
    trials,
    repeats: plans.reduce((sum, { estimate }) => sum + estimate.repeats, 0),
    concurrency: Math.max(1, Math.min(concurrency, trials)),
    minutes: sumOf(left.map(({ minutes }) => minutes)),
    costUsd: sumOf(left.map(({ costUsd }) => costUsd)),
  };
}

export interface AboutParts extends Pick<Survey, "sandbox"> {
  readonly find: JudgeFinder;
  readonly grade: boolean;
  readonly concurrency: number;
}

function judgeTexts(one: Case, find: JudgeFinder): readonly string[] {
  const choices = find.choices(one);
  return choices.length > 0 ? choices.map(judgeText) : find.panel(one).map(({ name }) => name);
}

/** A client with its version; a program of the user's own by its name. */
function agentText({ harness, client }: Plan): string {
  const detail = client?.version ?? (harness === "command" ? client?.name : null) ?? "";
  return `${harness} ${detail}`.trim();
}

function distinct(all: readonly string[]): readonly string[] {
  return [...new Set(all)];
}

/** Null as soon as one part is unknown. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (sum, value) => (sum === null || value === null ? null : sum + value),
    0,
  );
}

/** What of a plan no earlier iteration has: taken over from it, left as it is there, or finished where it goes on. */
export function leftToRun(plan: Plan): LeftToRun {
  const { trials, estimate, repetition, finished = [] } = plan;
  const takenOver = repetition?.takeOver.flatMap((one) => one.trials) ?? [];
  const made = new Set([...takenOver, ...(repetition?.leave ?? []), ...finished]);
  const left = trials.filter(({ id }) => !made.has(id));
  // The estimate is of all trials; those that are not made again take nothing.
  const share = left.length === 0 ? 0 : left.length / trials.length;
  const minutes = share === 0 ? 0 : estimate.minutes === null ? null : estimate.minutes * share;
  return { trials: left, minutes, costUsd: costOfTrials(plan, left) };
}

/** Null: nothing is known to base it on. */
export interface LeftToRun {
  readonly trials: readonly Trial[];
  readonly minutes: number | null;
  readonly costUsd: number | null;
}
