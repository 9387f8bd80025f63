import type { ArmCase } from "../../domain/benchmark.ts";
import type { Case } from "../../domain/suite.ts";
import { hasSkill } from "../run-counts.ts";
import type { Arm } from "./arm.ts";
import { checkPatterns, patternOf } from "./check-patterns.ts";

export interface ComparedCase {
  readonly one: Case;
  readonly sides: { readonly treatment: Arm; readonly baseline: Arm };
  readonly here: ArmCase;
  readonly there: ArmCase;
  readonly difference: number | null;
  /** Ids of the checks that both arms are held to. */
  readonly checks: ReadonlySet<string>;
}

/** From this share of agreeing pairs down, a judge's own repetitions are part of the noise. */
const STEADY_JUDGE = 0.9;

/** Why a case says nothing in favour of the arm under test; empty where it does. */
export function whyNoSignal(compared: ComparedCase): string[] {
  const { difference, here, there, checks, one } = compared;
  if (one.checks.length === 0) return ["the case has no check"];
  if (checks.size === 0) return ["no check of the case applies to both sides"];
  if (difference === null) return [missing(compared)];
  const unsteady = judgeText(compared);
  if (difference > 0) return unsteady;
  const reasons = [...unloaded(compared), ...unsteady];
  if (difference < 0) return [...reasons, `passed less often than in ${compared.sides.baseline.name}`];
  if (there.passRate === 1)
    return [...reasons, `saturated: every check passes in ${compared.sides.baseline.name} already`];
  if (reasons.length > 0) return reasons;
  if (here.passRate === 0)
    return ["every check fails on both sides: too hard, or the checks ask for something neither does"];
  return [evenText(compared)];
}

/** Not all checks fail, and as many in one arm as in the other. */
function evenText({ one, sides }: ComparedCase): string {
  const patterns = new Set(checkPatterns([one], sides).map(patternOf));
  if (patterns.has("mixed")) return "both sides pass equally often, with checks that pass only in some runs";
  return patterns.has("only in treatment") || patterns.has("only in baseline")
    ? "both sides pass equally often, but on different checks"
    : "the same checks fail on both sides: the case does not exercise what sets them apart";
}

function missing({ here, there, sides }: ComparedCase): string {
  const empty = [
    ...(here.scored === 0 ? [sides.treatment.name] : []),
    ...(there.scored === 0 ? [sides.baseline.name] : []),
  ];
  return `not compared: no scored run in ${empty.join(" or ")}`;
}

function unloaded({ sides: { treatment }, one }: ComparedCase): string[] {
  if (!hasSkill(treatment.variant)) return [];
  const runs = treatment.runs.get(one.id) ?? [];
  if (runs.some(({ isLoaded }) => isLoaded)) return [];
  const unseen = runs.every(({ isUnverified }) => isUnverified);
  return [unseen ? "the skill was not seen to be loaded" : "the skill was never loaded"];
}

function judgeText({ sides, one }: ComparedCase): string[] {
  let worst = 1;
  for (const { trialsByCase } of [sides.treatment, sides.baseline])
    for (const { agreement } of trialsByCase.get(one.id) ?? []) worst = Math.min(worst, agreement ?? 1);
  return worst >= STEADY_JUDGE
    ? []
    : [`the judge agrees with itself in only ${Math.round(worst * 100)} % of pairs of answers`];
}
