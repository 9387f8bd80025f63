import type { Case } from "../../domain/suite.ts";
import { plural } from "../../lib/plural.ts";
import type { GradingChoice } from "../../providers/grading-choice.ts";
import type { JudgeFinder } from "../models/judges.ts";
import { failed, type Finding, ok } from "./finding.ts";

/** Can somebody decide what only a model can decide? Throws a UserError for a choice that cannot be. */
export function judgeFindings(cases: readonly Case[], find: JudgeFinder): readonly Finding[] {
  const missing = cases.flatMap((one) =>
    find.panel(one).length > 0 ? [] : [{ one, why: find.missing(one) }],
  );
  if (missing.length === 0) return [];
  const checks = missing.reduce((count, { one }) => count + judgedChecks(one), 0);
  const why = [...new Set(missing.flatMap(({ why }) => why ?? []))].join(" ");
  return [
    failed(
      "judge",
      `${plural(checks, "check")} ${checks === 1 ? "needs" : "need"} a judge, and none can answer: ${why}`,
      `${REMEDY}; --no-grade runs now, and assay grade grades later`,
    ),
  ];
}

const REMEDY =
  "export ANTHROPIC_API_KEY or OPENAI_API_KEY, log in to claude or codex, or set ASSAY_MODEL_URL with --grading-model";

/** How a judge is reached, in words. */
export function judgeText({ model, transport, provider }: GradingChoice): string {
  const program = provider === "anthropic" ? "claude" : "codex";
  return `${model} ${transport === "cli" ? `by the ${program} program` : `at ${provider}`}`;
}

export function judgeFinding(choice: GradingChoice): Finding {
  if (choice.missing !== null) return failed("judge", choice.missing, REMEDY);
  return ok("judge", `The judge is ${judgeText(choice)}.`);
}

export function isJudged(one: Case): boolean {
  return judgedChecks(one) > 0;
}

function judgedChecks({ kind, checks }: Case): number {
  return kind === "task" ? checks.filter(({ layer }) => layer !== "L1").length : 0;
}
