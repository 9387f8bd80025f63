import { DEFAULT_LIMITS, LIMITS_RULE, readLimits, type TrialLimits } from "../domain/limits.ts";
import { UserError } from "../domain/user-error.ts";

/** What trials may use; null: nobody said anything. A configuration's text is read here for the first time. */
export function limitsOf(said: string | null): TrialLimits {
  const limits = said === null ? DEFAULT_LIMITS : readLimits(said);
  if (limits !== null) return limits;
  throw new UserError("options/invalid", `limits: ${JSON.stringify(said)} is invalid. ${LIMITS_RULE}`, {
    hint: 'e.g. "limits": "memory=8GB,processes=4000"',
  });
}
