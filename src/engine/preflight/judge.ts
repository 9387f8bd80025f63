import { judgeProgram } from "../../domain/grading-provider.ts";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { plural } from "../../lib/plural.ts";
import type { Machine } from "../../machine.ts";
import type { GradingChoice } from "../../providers/grading-choice.ts";
import { installedPrograms } from "../models/cli-judge.ts";
import type { JudgeFinder } from "../models/judges.ts";
import { programVersion } from "../program-version.ts";
import { failed, failedBy, type Finding } from "./finding.ts";

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
      `${plural(checks, "check")} ${checks === 1 ? "needs" : "need"} a judge, and none is available: ${why}`,
      `${REMEDY}; or run now with --no-grade and grade later with assay grade`,
    ),
  ];
}

const REMEDY =
  "export ANTHROPIC_API_KEY or OPENAI_API_KEY, log in to claude or codex, or set ASSAY_MODEL_URL with --grading-model";

/** How a judge is reached, in words. */
export function judgeText({ model, transport, provider }: GradingChoice): string {
  return `${model} ${transport === "cli" ? `through the ${judgeProgram(provider)} CLI` : `at ${provider}`}`;
}

/** Can the program that a judge is reached through be started? Null: it can, or there is none. */
export async function judgeProgramFinding(
  { provider, transport }: GradingChoice,
  { machine, signal }: { machine: Machine; signal: AbortSignal },
): Promise<Finding | null> {
  const name = transport === "cli" ? judgeProgram(provider) : null;
  if (name === null) return null;
  const program = (await installedPrograms(machine))[name];
  try {
    if (program !== null) await programVersion(program, signal);
    return null;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return failedBy("judge", error, "use --transport api with a key");
  }
}

export const missingJudge = (why: string): Finding => failed("judge", why, REMEDY);

export function isJudged(one: Case): boolean {
  return judgedChecks(one) > 0;
}

function judgedChecks({ kind, checks }: Case): number {
  return kind === "task" ? checks.filter(({ layer }) => layer !== "L1").length : 0;
}
