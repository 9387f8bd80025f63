import type { Case } from "../../domain/suite.ts";
import { pricedHistory } from "../../engine/history.ts";
import { concurrencyOf } from "../../engine/plan-suites.ts";
import type { ImproveEvent, PlannedWork } from "../../improve/event.ts";
import { mean } from "../../stats/descriptive.ts";
import type { VersionsCall } from "./open-versions.ts";
import type { VersionRunner } from "./run-version.ts";

interface Wanted {
  /** Versions beside v0. */
  readonly rounds: number;
  readonly freshRuns: number;
  readonly learning: readonly Case[];
  readonly cases: readonly Case[];
  readonly runner: VersionRunner;
}

/** Says what the rounds may take before anything is spent, and, where nothing is known yet, once more when told `again`. */
export async function tellCost(
  wanted: Wanted,
  call: VersionsCall,
  listen: (event: ImproveEvent) => void,
): Promise<{ readonly again: () => Promise<void> }> {
  const tell = async () => {
    const work = await plannedWork(wanted, call);
    listen({ kind: "planned", ...work });
    return work.minutes !== null;
  };
  let isKnown = await tell();
  return {
    async again() {
      if (!isKnown) isKnown = await tell();
    },
  };
}

async function plannedWork(
  { rounds, freshRuns, learning, cases, runner }: Wanted,
  call: VersionsCall,
): Promise<PlannedWork> {
  const { place, request } = call;
  const exploring = (rounds + 1) * learning.reduce((sum, one) => sum + runner.runsOf(one), 0);
  const confirming = 2 * freshRuns * cases.length;
  const concurrency = concurrencyOf(request.options);
  const wanted = { suite: place.suite.name, harness: runner.harness, model: runner.model, concurrency };
  const { runs, price } = await pricedHistory(request.results, wanted, request.machine.now);
  const seconds = mean(runs.map((run) => run.seconds));
  const prices = runs.flatMap(({ costUsd, inputTokens: input, outputTokens: output }) =>
    costUsd !== null || price === null || input === null || output === null
      ? (costUsd ?? [])
      : price({ input, output }),
  );
  const cost = mean(prices);
  const all = exploring + confirming;
  return {
    exploring,
    confirming,
    minutes: seconds === null ? null : (all * seconds) / 60 / concurrency,
    costUsd: cost === null ? null : all * cost,
  };
}
