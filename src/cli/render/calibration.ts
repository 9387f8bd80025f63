import { plural } from "../../operations/text.ts";
import type { Calibration, LabelComparison } from "../../operations/calibrate.ts";
import { kappaText } from "./kappa.ts";
import { brokenAt } from "./fitted.ts";
import { table } from "./table.ts";

/** How far a judge and a person agree, for a person: the figures, then which way each criterion errs. */
export function calibrationText(calibration: Calibration, columns: number | null): string {
  const { criteria, compared, labels, unscored, unmatched, accuracy, interval } = calibration;
  const missing = [
    ...(unscored === 0 ? [] : [`${unscored} without a verdict`]),
    ...(unmatched === 0 ? [] : [`${unmatched} that the judge was never asked`]),
  ];
  const bounds =
    interval === null
      ? ""
      : `, 95 % interval ${Math.round(interval.low * 100)} to ${Math.round(interval.high * 100)} %`;
  const summary = [
    `${compared} of ${plural(labels, "label")} compared${missing.length === 0 ? "" : `; ${missing.join(", ")}`}`,
    `agreement ${share(accuracy)}${bounds}; kappa ${kappaText(calibration, "outputs")}; over ${plural(calibration.outputs, "output")}`,
  ].join("\n");
  return [
    brokenAt(summary, columns),
    "",
    table(
      [
        "criterion",
        "compared",
        "agreement",
        "kappa",
        "both pass",
        "only judge passes",
        "only person passes",
        "both fail",
      ],
      criteria.map((one) => [one.criterion ?? "(the whole run)", ...row(one)]),
      columns,
    ),
  ].join("\n");
}

function row({ compared, accuracy, kappa, confusion }: LabelComparison): readonly (string | number)[] {
  const { bothPassed, onlyJudgePassed, onlyPersonPassed, bothFailed } = confusion;
  return [
    compared,
    share(accuracy),
    kappa === null ? "-" : kappa.toFixed(2),
    bothPassed,
    onlyJudgePassed,
    onlyPersonPassed,
    bothFailed,
  ];
}

function share(value: number | null): string {
  return value === null ? "unknown" : `${Math.round(value * 100)} %`;
}
