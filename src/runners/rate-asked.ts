import { UserError } from "../domain/user-error.ts";
import { settleRate } from "../operations/testing.ts";
import { nearest } from "../operations/text.ts";

/** How often a case must pass, how sure that must be, and how often it is run to find out. */
export interface RateAsked {
  readonly rate: number;
  readonly confidence: number;
  readonly runs: number;
}

/** Without `runs`: as few as can settle it. Throws a UserError for what cannot be asked. */
export function rateAsked(given: Partial<RateAsked> = {}): RateAsked {
  refuseUnknown(given, ["rate", "confidence", "runs"]);
  const { rate = 0.8, confidence = 0.95 } = given;
  if (!(rate > 0 && rate < 1))
    throw invalid(
      "rate",
      rate,
      "a number between 0 and 1, such as 0.8; no number of runs shows that it always passes",
    );
  if (!(confidence >= 0.5 && confidence < 1))
    throw invalid("confidence", confidence, "a number from 0.5 to below 1, such as 0.95");
  const runs = given.runs ?? settleRate({ passed: 0, runs: 0, rate, confidence }).runsToPass;
  if (runs === null || !Number.isSafeInteger(runs) || runs < 1)
    throw invalid("runs", runs, "a whole number from 1 to 1000");
  return { rate, confidence, runs };
}

/** A matcher that ignored a misspelt option would pass for the wrong reason. */
export function refuseUnknown(given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  throw new UserError("options/unknown", `there is no option ${JSON.stringify(unknown)}`, {
    hint: near === null ? `the options are ${known.join(", ")}` : `did you mean ${near}?`,
  });
}

function invalid(name: string, value: unknown, must: string): UserError {
  return new UserError("options/invalid", `option ${name}: ${String(value)} is invalid`, {
    hint: `it must be ${must}`,
  });
}
