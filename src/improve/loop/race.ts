import { mean } from "../../stats/descriptive.ts";
import { withinCaseTest } from "../../stats/within-case.ts";
import type { RunScores } from "./score.ts";

/** A draft this unlikely to be as good as the leader is not run further. Exploring decides nothing, so this only saves money. */
const CLEARLY = 0.1;

/**
 * Whether a draft is not worth the rest of its runs: even if all of them were perfect it would stay behind the leader, or it is
 * clearly worse already.
 */
export function isOutrun(draft: RunScores, leader: RunScores, runs: (caseId: string) => number): boolean {
  const cases = [...draft].map(([id, made]) => ({ id, made, led: leader.get(id) ?? [] }));
  const compared = cases.filter(({ made, led }) => made.length > 0 && led.length > 0);
  if (compared.length === 0) return false;
  const most = mean(compared.map(({ id, made }) => atBest(made, runs(id))));
  const led = mean(compared.flatMap((one) => mean(one.led) ?? []));
  if (most !== null && led !== null && most < led - 1e-9) return true;
  const test = withinCaseTest(compared.map(({ made, led: baseline }) => ({ treatment: made, baseline })));
  return test !== null && test.lift < 0 && test.pWorse <= CLEARLY;
}

/** The mean of a case's runs if all that are still to come were perfect. */
function atBest(made: readonly number[], runs: number): number {
  const open = Math.max(0, runs - made.length);
  return (made.reduce((sum, score) => sum + score, 0) + open) / (made.length + open);
}
