import type { LiftComparison } from "../../domain/benchmark.ts";
import { worthSeeing } from "../../stats/these-cases.ts";
import { confidence, points, pText } from "../../stats/words.ts";
import { percent } from "../text.ts";

type Facts = Omit<LiftComparison, "explanation">;

/** Both answers in sentences: what these cases show, what would show more unless `advice` is not wanted, what it says of other cases. */
export function liftText(facts: Facts, { advice = true } = {}): string {
  return [
    theseCasesText(facts),
    again(facts),
    ...(advice ? [more(facts)] : []),
    otherCasesText(facts, advice),
    leftOut(facts),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** What these very cases show. */
export function theseCasesText(facts: Facts): string {
  const { verdict, cases, rates, lift, interval, pValue, alpha } = facts;
  if (rates === null || lift === null || interval === null || pValue === null)
    return "No case was scored on both sides, so there is nothing to compare.";
  const range = `${confidence(alpha)} interval ${points(interval.low)} to ${points(interval.high)}, p ${pText(pValue, alpha)}`;
  return `${WORDS[verdict]} ${cases === 1 ? "this 1 case" : `these ${cases} cases`}: ${percent(rates.baseline)} -> ${percent(rates.treatment)} (${points(lift)} points, ${range}).`;
}

function again({ look = 1, alpha }: Facts): string {
  return look === 1 ? "" : `This is ${lookText(look, alpha)}.`;
}

/** Who adds runs until something shows would find it by chance. */
export function lookText(look: number, alpha: number): string {
  return `look ${look} at these runs, so p must be at most ${Number(alpha.toPrecision(2))}`;
}

const WORDS: Readonly<Record<Facts["verdict"], string>> = {
  better: "Better on",
  worse: "Worse on",
  "no difference seen": "No difference that matters on",
  underpowered: "Undecided on",
  invalid: "No verdict on",
};

function more({ verdict, smallestPValue, alpha, minEffect, runsNeeded, plannedEffect }: Facts): string {
  if (verdict === "no difference seen")
    return `A difference of ${size(worthSeeing(minEffect))} or more is ruled out.`;
  if (verdict !== "underpowered" || plannedEffect === null) return "";
  if (runsNeeded === null) return `More runs are unlikely to show a difference of ${size(plannedEffect)}.`;
  const none =
    smallestPValue !== null && smallestPValue > alpha ? "So few runs cannot show any difference. " : "";
  return `${none}About ${runsNeeded} runs of each case on each side would show a difference of ${size(plannedEffect)} four times out of five.`;
}

/** What they say of others; empty where that is nothing. */
export function otherCasesText(
  { verdict, cases, gains, losses, otherCases: others, alpha }: Facts,
  advice = true,
): string {
  if (verdict === "invalid") return "";
  const counted = countedCases({ cases, gains, losses });
  const { improvesAtLeast, worsensAtLeast, casesNeeded } = others;
  if (others.verdict === "better" || others.verdict === "worse") {
    const share = others.verdict === "better" ? improvesAtLeast : worsensAtLeast;
    const doing = others.verdict === "better" ? "helps" : "hurts";
    return `On other cases like these: ${counted}; it ${doing} in at least ${percent(share ?? 0)} of them.`;
  }
  const needed =
    casesNeeded === null || !advice
      ? ""
      : `; ${casesNeeded} cases are needed to say more${alpha < WHOLE_ALPHA ? ", because each look asks for more" : ""}`;
  return `On other cases: ${counted}${needed}.`;
}

/** What a result may use that is looked at once. */
const WHOLE_ALPHA = 0.05;

/** Both directions wherever there are both: the larger number alone would hide the other. */
function countedCases({ cases, gains, losses }: Pick<Facts, "cases" | "gains" | "losses">): string {
  if (losses === 0) return `${gains} of ${cases} improved`;
  return gains === 0
    ? `${losses} of ${cases} got worse`
    : `${gains} of ${cases} improved and ${losses} got worse`;
}

function leftOut({ casesLeftOut }: Facts): string {
  if (casesLeftOut === 0) return "";
  return casesLeftOut === 1
    ? "1 case was scored on at most one side and is not counted."
    : `${casesLeftOut} cases were scored on at most one side and are not counted.`;
}

function size(effect: number): string {
  return `${Math.round(effect * 100)} points`;
}
