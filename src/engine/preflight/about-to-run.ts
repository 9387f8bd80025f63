import { tmpdir } from "node:os";
import type { Plan } from "../../domain/plan.ts";
import type { AboutToRun } from "../../machine.ts";
import { findSandbox } from "../../run/choose-sandbox.ts";
import type { JudgeFinder } from "../models/judges.ts";
import { isJudged, judgeText } from "./judge.ts";

/** What is about to run, for whoever pays for it. */
export async function aboutToRun(
  plans: readonly Plan[],
  { find, grade, concurrency }: { find: JudgeFinder; grade: boolean; concurrency: number },
): Promise<AboutToRun> {
  const sandboxes = await Promise.all(
    distinct(plans.map(({ ground }) => ground.sandbox)).map(
      async (name) => (await findSandbox(name, tmpdir())).name,
    ),
  );
  const judged = grade ? plans.flatMap(({ suite }) => suite.cases.filter(isJudged)) : [];
  const judges = judged.flatMap((one) =>
    find.choices(one).length > 0 ? find.choices(one).map(judgeText) : find.panel(one).map(({ name }) => name),
  );
  return {
    kind: "about-to-run",
    skills: distinct(plans.map(({ suite }) => suite.name)),
    agents: distinct(plans.map(({ harness, client }) => `${harness} ${client?.version ?? ""}`.trim())),
    models: distinct(plans.flatMap(({ model }) => model ?? [])),
    judges: distinct(judges),
    sandboxes: distinct(sandboxes),
    trials: plans.reduce((sum, { trials }) => sum + trials.length, 0),
    concurrency,
    minutes: sumOf(plans.map(({ estimate }) => estimate.minutes)),
    costUsd: sumOf(plans.map(({ estimate }) => estimate.costUsd)),
  };
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
