import { type Run, secondsOf, totalTokens } from "../../domain/run.ts";
import { codeGrader } from "../code-grader.ts";
import { type Decision, failed, measure, passed, unscored } from "../decision.ts";
import type { Grader } from "../grader.ts";

/** Checks on what the run cost; what the client does not report cannot be held against a limit. */
export function limitsGrader(): Grader {
  return codeGrader<"usage", Run>({
    name: "limits",
    reads: "usage",
    open: async ({ run }) => run,
    decisions: {
      max_cost_usd: atMost("US dollars", (run) => run.usage.costUsd),
      max_tokens: atMost("tokens", (run) => totalTokens(run.usage)),
      max_duration_seconds: atMost("seconds", secondsOf),
      /** A completed run has at least one response; none means that the client does not show them. */
      max_turns: atMost("turns", (run) => (run.steps === 0 ? null : run.steps)),
    },
  });
}

function atMost(unit: string, of: (run: Run) => number | null) {
  return ({ limit }: { readonly limit: number }, run: Run): Decision => {
    const used = of(run);
    if (used === null) return unscored(`the client does not report ${unit}`);
    const text = `${used} ${unit}, at most ${limit} allowed`;
    return (used <= limit ? passed : failed)(`the run took ${text}`, [measure(text)]);
  };
}
