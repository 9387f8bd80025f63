import type { Comparison } from "./comparison.ts";
import { fixedLikePython, signedLikePython } from "./python-format.ts";
import { fewestCases } from "./sign-flip.ts";

/** What a comparison found, in sentences: the finding, how sure it is, what would make it surer. */
export function explain(comparison: Omit<Comparison, "explanation">, worthSeeing: number): string {
  return [finding(comparison, worthSeeing), sameEverywhere(comparison), more(comparison), leftOut(comparison)]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

type Facts = Omit<Comparison, "explanation">;

function finding(facts: Facts, worthSeeing: number): string {
  const { verdict, cases, minimumDetectableEffect: detectable } = facts;
  switch (verdict) {
    case "invalid":
      return "No case was scored in both arms, so there is nothing to compare.";
    case "better":
    case "worse":
      return `${verdict === "better" ? "Better" : "Worse"}: ${measured(facts)}.`;
    case "no difference seen":
      return isSignificant(facts)
        ? `No difference that matters: ${measured(facts)}, more than chance but less than the ${plain(facts.minEffect)} asked for.`
        : `No difference seen: ${measured(facts)}. A lift of ${plain(detectable ?? worthSeeing)} or more would have been seen in four of five such benchmarks.`;
    case "underpowered":
      return cases < fewestCases(facts.alpha)
        ? `Underpowered: ${measured(facts)}. With ${count(cases, "case")} no outcome can reach ${percent(facts.alpha)}: ` +
            `the smallest possible p-value is ${plain(facts.smallestPValue ?? 1, 3)}, and it takes at least ${fewestCases(facts.alpha)} cases.`
        : `Underpowered: ${measured(facts)}. Only a lift of ${plain(detectable ?? 1)} or more is likely to be seen.`;
  }
}

function measured({ lift, interval, pValue, alpha, cases, gains, losses, ties }: Facts): string {
  const range =
    interval === null
      ? ""
      : ` (${percent(1 - alpha)} interval ${signed(interval.low)} to ${signed(interval.high)}, p ${pText(pValue ?? 1)})`;
  return `mean lift ${signed(lift ?? 0)}${range} over ${count(cases, "case")}: ${gains} up, ${losses} down, ${ties} equal`;
}

function sameEverywhere({ cases, ties }: Facts): string {
  if (cases === 0 || ties < cases) return "";
  return cases === 1
    ? "The case scored the same in both arms."
    : "Every case scored the same in both arms: cases like these do not tell the arms apart.";
}

function more({ verdict, cases, casesNeeded, runsNeeded, plannedEffect }: Facts): string {
  if (verdict !== "underpowered" || plannedEffect === null) return "";
  if (casesNeeded === null) return `A lift of ${plain(plannedEffect)} is out of reach by adding cases.`;
  const runs = runsNeeded === null ? "" : `, or ${runsNeeded} runs of each case,`;
  return `About ${count(casesNeeded - cases, "more case")}${runs} would show a lift of ${plain(plannedEffect)} four times in five.`;
}

function leftOut({ casesLeftOut, verdict }: Facts): string {
  if (casesLeftOut === 0) return "";
  const which = casesLeftOut === 1 ? "1 case has" : `${casesLeftOut} cases have`;
  return verdict === "invalid"
    ? `${which} scored runs in at most one arm.`
    : `${which} scored runs in at most one arm and ${casesLeftOut === 1 ? "is" : "are"} not counted.`;
}

function isSignificant({ pValue, alpha }: Facts): boolean {
  return pValue !== null && pValue <= alpha;
}

function signed(value: number): string {
  return signedLikePython(value + 0, 2).replace("-0.00", "+0.00");
}

function plain(value: number, decimals: number = 2): string {
  return fixedLikePython(value, decimals);
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

function pText(pValue: number): string {
  return pValue < 0.001 ? "< 0.001" : `= ${plain(pValue, 3)}`;
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
