import { createHash } from "node:crypto";
import { isCanary } from "../domain/canary.ts";
import { commandsOf } from "../domain/check.ts";
import type { Case, Suite } from "../domain/suite.ts";
import type { Determinants, Plan } from "../domain/plan.ts";
import type { Trial, Variant } from "../domain/trial.ts";
import { costsOf, estimate, type RunHistory } from "./estimate.ts";
import { repetitionsOf } from "./repetitions.ts";
import { orderTrials } from "./order.ts";
import { type Selection, selectCases } from "./select.ts";

export interface PlanOptions {
  readonly harness: string;
  readonly model: string | null;
  readonly variants: readonly Variant[];
  readonly selection: Selection;
  /** `--runs`: the total for every case; null leaves it to the case. */
  readonly runs: number | null;
  /** What a case gets when neither `--runs` nor the case says. */
  readonly defaultRuns: { readonly task: number; readonly trigger: number };
  /** Runs of single cases, by id, that outweigh all of that; rounds give them as they go. */
  readonly runsOf?: ReadonlyMap<string, number>;
  /** Runs of a trigger query that stays unsettled; absent: none is run more often than planned. */
  readonly mostTriggerRuns?: number;
  readonly seed: number;
  readonly determinants: Determinants;
  readonly history: RunHistory;
}

/** The ordered trials of a plan, and what they may take. */
export type PlannedTrials = Pick<Plan, "trials" | "estimate" | "costs">;

/** Same suite, same options, same plan. */
export function planTrials(suite: Suite, options: PlanOptions): PlannedTrials {
  const cases = selectCases(
    suite.cases.filter((one) => !isCanary(one)),
    options.selection,
  );
  const guarded = cases.some((one) => one.kind === "trigger") ? suite.cases.filter(isCanary) : [];
  const ordered = orderTrials(
    cases.flatMap((one) => trialsOf(one, options)),
    { history: options.history, seed: options.seed },
  );
  const trials = [...guarded.flatMap((one) => trialsOf(one, options)), ...ordered];
  const costs = costsOf(trials, options.history);
  return {
    trials,
    estimate: estimate(trials, options.history, { repeats: repeatsOf(cases, options), costs }),
    ...(costs !== null && { costs }),
  };
}

function repeatsOf(cases: readonly Case[], options: PlanOptions): number {
  const { mostTriggerRuns = 0 } = options;
  const queries = cases.filter((one) => one.kind === "trigger");
  return queries.reduce((sum, one) => sum + Math.max(0, mostTriggerRuns - repetitionsOf(one, options)), 0);
}

function trialsOf(one: Case, options: PlanOptions): Trial[] {
  const variants = one.kind === "trigger" ? firingVariants(options.variants) : options.variants;
  const repetitions = repetitionsOf(one, options);
  return variants.flatMap((variant) =>
    Array.from({ length: repetitions }, (_, index) => ({
      id: `${one.id}/${variant}/run-${index + 1}`,
      key: trialKey({ one, variant, repetition: index + 1 }, options),
      caseId: one.id,
      variant,
      repetition: index + 1,
    })),
  );
}

/** Where no skill is installed none can fire, and nothing is learned from asking. */
function firingVariants(variants: readonly Variant[]): readonly Variant[] {
  return variants.filter((variant) => variant !== "without_skill" && variant !== "inline").slice(0, 1);
}

/** Checks are not part of the key: they are applied to a run. Only commands must have been run in its workspace. */
function trialKey(
  { one, variant, repetition }: { one: Case; variant: Variant; repetition: number },
  { determinants, harness, model }: PlanOptions,
): string {
  const parts = [
    harness,
    model,
    determinants.client,
    determinants.options,
    determinants.project,
    determinants.skill[variant] ?? null,
    determinants.cases[one.id] ?? null,
    one.prompt,
    one.settings.systemPrompt,
    one.settings.timeoutSeconds,
    one.settings.syncTasks,
    one.setup,
    one.teardown,
    one.mcpServers,
    one.kind,
    variant,
    repetition,
    ...withCommands(one),
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

function withCommands({ checks }: Case): readonly (readonly string[])[] {
  const commands = commandsOf(checks);
  return commands.length === 0 ? [] : [commands];
}
