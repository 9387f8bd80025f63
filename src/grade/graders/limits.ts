import type { LimitClaim } from "../../domain/check.ts";
import { type Run, totalTokens } from "../../domain/run.ts";
import { type CheckOf, codeGrader } from "../code-grader.ts";
import { type Decision, failed, measure, passed, unscored } from "../decision.ts";
import type { Grader } from "../grader.ts";

/** Checks on what the run cost; what the client does not report cannot be held against a limit. */
export function limitsGrader(): Grader<CheckOf<LimitClaim["kind"]>> {
  return codeGrader({
    name: "limits",
    kinds: ["max_cost_usd", "max_tokens", "max_duration_seconds", "max_turns"],
    async open({ run }) {
      return async (check) => decide(check, run);
    },
  });
}

function decide({ kind, limit }: CheckOf<LimitClaim["kind"]>, run: Run): Decision {
  const { unit, of } = MEASURES[kind];
  const used = of(run);
  if (used === null) return unscored(`the client does not report ${unit}`);
  const text = `${used} ${unit}, at most ${limit} allowed`;
  return (used <= limit ? passed : failed)(`the run took ${text}`, [measure(text)]);
}

const MEASURES: Readonly<
  Record<LimitClaim["kind"], { readonly unit: string; readonly of: (run: Run) => number | null }>
> = {
  max_cost_usd: { unit: "US dollars", of: (run) => run.usage.costUsd },
  max_tokens: { unit: "tokens", of: (run) => totalTokens(run.usage) },
  max_duration_seconds: { unit: "seconds", of: (run) => run.durationMs / 1000 },
  /** A completed run has at least one response; none means that the client does not show them. */
  max_turns: { unit: "turns", of: (run) => (run.steps === 0 ? null : run.steps) },
};
