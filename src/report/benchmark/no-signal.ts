import type { ArmCase } from "../../domain/benchmark.ts";
import { isSameSkill } from "../../domain/skill.ts";
import type { Case } from "../../domain/suite.ts";
import type { Arm } from "./arm.ts";

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
  if (checks.size === 0) return ["no check of the case applies to both arms"];
  if (difference === null) return [missing(compared)];
  const unsteady = judgeText(compared);
  if (difference > 0) return unsteady;
  const reasons = [...unloaded(compared), ...unsteady];
  if (difference < 0) return [...reasons, `${compared.sides.baseline.name} does better here`];
  if (there.passRate === 1)
    return [...reasons, `saturated: every check passes in ${compared.sides.baseline.name} already`];
  if (reasons.length > 0) return reasons;
  return [
    here.passRate === 0
      ? "every check fails in both arms: too hard, or the checks ask for what neither does"
      : "the same checks fail in both arms: the scenario does not exercise what tells them apart",
  ];
}

function missing({ here, there, sides }: ComparedCase): string {
  const empty = [
    ...(here.scored === 0 ? [sides.treatment.name] : []),
    ...(there.scored === 0 ? [sides.baseline.name] : []),
  ];
  return `not compared: no scored run in ${empty.join(" or ")}`;
}

/** Only where the arm under test has the skill installed: in `inline` there is nothing to load. */
function unloaded({ sides: { treatment }, one }: ComparedCase): string[] {
  if (treatment.variant === "without_skill" || treatment.variant === "inline") return [];
  const skill = treatment.evaluated.iteration.suite;
  const runs = treatment.runs.get(one.id) ?? [];
  const loaded = runs.filter(({ run }) => run.activations.some((seen) => isSameSkill(seen.skill, skill)));
  if (loaded.length > 0) return [];
  const unseen = runs.every(({ run }) => run.validity.status === "unverified");
  return [unseen ? "the skill was not seen to be loaded" : "the skill was never loaded"];
}

function judgeText({ sides, one }: ComparedCase): string[] {
  const agreements = [sides.treatment, sides.baseline].flatMap(({ evaluated, trials }) =>
    trials
      .filter((trial) => trial.caseId === one.id)
      .flatMap((trial) => evaluated.gradings.get(trial.id)?.agreement?.withinJudges ?? []),
  );
  const worst = Math.min(1, ...agreements);
  return worst >= STEADY_JUDGE
    ? []
    : [`the judge agrees with itself in only ${Math.round(worst * 100)} % of pairs of answers`];
}
