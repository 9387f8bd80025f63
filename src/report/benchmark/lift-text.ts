import type { LiftComparison } from "../../domain/benchmark.ts";
import { worthSeeing } from "../../stats/these-cases.ts";
import { percent } from "../text.ts";

type Facts = Omit<LiftComparison, "explanation">;

/** Both answers in sentences: what these cases show, what would show more, what it says of other cases. */
export function liftText(facts: Facts): string {
  return [finding(facts), more(facts), otherCases(facts), leftOut(facts)]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** A share as signed percentage points; a tenth where a whole point would say none. */
export function points(share: number): string {
  const whole = Math.round(share * 100);
  const shown = whole === 0 ? Math.round(share * 1000) / 10 : whole;
  return `${shown < 0 ? "-" : "+"}${Math.abs(shown)}`;
}

function finding(facts: Facts): string {
  const { verdict, cases, rates, lift, interval, pValue, alpha } = facts;
  if (rates === null || lift === null || interval === null || pValue === null)
    return "No case was scored in both arms, so there is nothing to compare.";
  const range = `${confidence(alpha)} interval ${points(interval.low)} to ${points(interval.high)}, p ${pText(pValue)}`;
  return `${WORDS[verdict]} ${cases === 1 ? "this 1 case" : `these ${cases} cases`}: ${percent(rates.baseline)} -> ${percent(rates.treatment)} (${points(lift)} points, ${range}).`;
}

const WORDS: Readonly<Record<Facts["verdict"], string>> = {
  better: "Better on",
  worse: "Worse on",
  "no difference seen": "No difference that matters on",
  underpowered: "Undecided on",
  invalid: "Nothing to compare on",
};

function more({ verdict, smallestPValue, alpha, minEffect, runsNeeded, plannedEffect }: Facts): string {
  if (verdict === "no difference seen")
    return `A difference of ${size(worthSeeing(minEffect))} or more is ruled out.`;
  if (verdict !== "underpowered" || plannedEffect === null) return "";
  if (runsNeeded === null) return `More runs would hardly show a lift of ${size(plannedEffect)}.`;
  const none =
    smallestPValue !== null && smallestPValue > alpha ? "So few runs cannot show any difference. " : "";
  return `${none}About ${runsNeeded} runs of each case in each arm would show a lift of ${size(plannedEffect)} four times in five.`;
}

function otherCases({ verdict, cases, gains, losses, otherCases: others }: Facts): string {
  if (verdict === "invalid") return "";
  const counted = losses > gains ? `${losses} of ${cases} got worse` : `${gains} of ${cases} improved`;
  const { improvesAtLeast, worsensAtLeast, casesNeeded } = others;
  if (others.verdict === "better" || others.verdict === "worse") {
    const share = others.verdict === "better" ? improvesAtLeast : worsensAtLeast;
    const doing = others.verdict === "better" ? "helps" : "hurts";
    return `On other cases like these: ${counted}; it ${doing} in at least ${percent(share ?? 0)} of them.`;
  }
  const needed = casesNeeded === null ? "" : `; ${casesNeeded} cases are needed to say more`;
  return `On other cases: ${counted}${needed}.`;
}

function leftOut({ casesLeftOut }: Facts): string {
  if (casesLeftOut === 0) return "";
  return casesLeftOut === 1
    ? "1 case was scored in at most one arm and is not counted."
    : `${casesLeftOut} cases were scored in at most one arm and are not counted.`;
}

function size(effect: number): string {
  return `${Math.round(effect * 100)} points`;
}

function confidence(alpha: number): string {
  return `${Number(((1 - alpha) * 100).toPrecision(3))} %`;
}

function pText(pValue: number): string {
  return pValue < 0.001 ? "< 0.001" : `= ${pValue.toFixed(3)}`;
}
