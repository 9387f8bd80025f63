import type {
  CanarySummary,
  Confusion,
  QuerySummary,
  TriggerAgreement,
  TriggerSummary,
} from "../domain/triggers.ts";
import { rateText, thousands } from "./text.ts";

/** What the trigger queries showed, for a person: failures first. Without numbers where the set-up is broken. */
export function triggerLines(
  triggers: TriggerSummary,
  agreement: TriggerAgreement | null,
  most: number,
): string[] {
  const open = triggers.queries.filter(({ status }) => status !== "passed");
  const lines = [
    `  triggers: ${countText(triggers.queries)}`,
    ...open.slice(0, most).map(queryLine),
    ...(open.length > most ? [`    and ${open.length - most} more; triggers.json has all of them`] : []),
  ];
  if (triggers.validity.status === "invalid") return [...lines, canaryLine(triggers.canary)];
  return [
    ...lines,
    `    recall ${rateText(triggers.recall)}; precision ${rateText(triggers.precision)}; accuracy ${rateText(triggers.accuracy)}`,
    ...confusionLines(triggers.confusion, triggers.skill),
    ...(triggers.canary.status === "fired" ? [] : [canaryLine(triggers.canary)]),
    ...adaptiveLines(triggers),
    ...agreementLines(agreement),
  ];
}

function countText(queries: readonly QuerySummary[]): string {
  const count = (status: QuerySummary["status"]) => queries.filter((query) => query.status === status).length;
  const unscored = count("unscored");
  return `${count("passed")} of ${queries.length} queries passed${unscored === 0 ? "" : `, ${unscored} unscored`}`;
}

function queryLine({ query, shouldTrigger, status, reason, others, leftOut }: QuerySummary): string {
  const mark = status === "failed" ? "x" : "?";
  const short = query.replaceAll("\n", " ");
  const said = short.length > 100 ? `${short.slice(0, 97)}...` : short;
  const seen = list(others);
  const missing = list(leftOut);
  return [
    `    ${mark} ${shouldTrigger ? "should fire" : "should not fire"}: ${JSON.stringify(said)}: ${reason}`,
    ...(seen === "" ? [] : [`taken up instead: ${seen}`]),
    ...(missing === "" ? [] : [`left out: ${missing}`]),
  ].join("; ");
}

function list(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

function canaryLine(canary: CanarySummary): string {
  switch (canary.status) {
    case "fired":
      return "    canary: fired";
    case "silent":
      return `    canary: did not fire in ${canary.runs} ${canary.runs === 1 ? "run" : "runs"}; ${canary.cause}`;
    case "unknown":
      return `    canary: unknown, ${canary.reason}`;
  }
}

/** Only where a skill was taken for another. */
function confusionLines(confusion: readonly Confusion[], own: string): string[] {
  const mixed = confusion.filter(
    ({ expected, fired }) => expected !== fired && fired !== null && (expected !== null || fired !== own),
  );
  return mixed.map(
    ({ expected, fired, runs }) =>
      `    ${runs === 1 ? "1 run" : `${runs} runs`} took up ${fired ?? "none"} where ${expected ?? "none"} was meant`,
  );
}

function adaptiveLines({ adaptive }: TriggerSummary): string[] {
  if (adaptive === null) return [];
  const { plannedRuns, runs, savedTokens } = adaptive;
  const tokens = savedTokens === null ? "tokens unknown" : `about ${thousands(savedTokens)} tokens saved`;
  return [`    adaptive: ${runs} runs in place of ${plannedRuns}, ${tokens}`];
}

function agreementLines(agreement: TriggerAgreement | null): string[] {
  if (agreement === null) return [];
  const { harness, iteration, bothFire, neitherFires, onlyHere, onlyThere } = agreement;
  return [
    `    agrees with ${harness} (iteration-${iteration}) on ${rateText(agreement.agreement)}: both fire ${bothFire}, neither ${neitherFires}, only here ${onlyHere.length}, only there ${onlyThere.length}`,
  ];
}
