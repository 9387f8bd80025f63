import type { CanarySummary, QuerySummary, TriggerSummary, TriggerValidity } from "../domain/triggers.ts";

/**
 * Where not even the canary fires, nothing can be said about the skill. Where it could not be asked, a result in which
 * nothing ever fires is not believed either.
 */
export function validityOf(queries: readonly QuerySummary[], canary: CanarySummary): TriggerValidity {
  if (canary.status === "silent") {
    return {
      status: "invalid",
      reason: `the skill did not fire even when it was asked for by name. Likely cause: ${canary.cause}`,
    };
  }
  if (canary.status === "unknown" && isDegenerate(queries)) {
    return { status: "invalid", reason: `nothing ever fired, and ${canary.reason}` };
  }
  return { status: "valid" };
}

/** Recall 0 without a single false alarm: what a broken set-up looks like, and a skill hardly ever does. */
function isDegenerate(queries: readonly QuerySummary[]): boolean {
  const scored = queries.filter(({ status }) => status !== "unscored");
  return (
    scored.some(({ shouldTrigger }) => shouldTrigger) && scored.every(({ repeated }) => repeated.fired === 0)
  );
}

/** What must be said before any number. */
export function triggerAlarms({ validity, queries, canary }: TriggerSummary): string[] {
  if (validity.status === "invalid") return [`the trigger result is invalid: ${validity.reason}`];
  if (!isDegenerate(queries)) return [];
  const why =
    canary.status === "fired"
      ? "The canary did fire, so the setup works: the description gives models no reason to load the skill"
      : "The setup may be broken";
  return [`no query ever fired: recall 0 % with not one false alarm. ${why}`];
}
