import type { LabelComparison } from "../../operations/calibrate.ts";

/** `0.62 (95 % interval 0.20 to 0.91)`; `what` names what there are too few of. */
export function kappaText(
  { kappa, kappaInterval }: Pick<LabelComparison, "kappa" | "kappaInterval">,
  what: string,
): string {
  if (kappa === null) return "unknown (one side never varies)";
  const range =
    kappaInterval === null
      ? `too few ${what} for an interval`
      : `95 % interval ${kappaInterval.low.toFixed(2)} to ${kappaInterval.high.toFixed(2)}`;
  return `${kappa.toFixed(2)} (${range})`;
}
