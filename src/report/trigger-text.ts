import type {
  CanarySummary,
  Confusion,
  QuerySummary,
  TriggerAgreement,
  TriggerSummary,
} from "../domain/triggers.ts";
import type { PageLine } from "./page.ts";
import { rateText, thousands } from "./text.ts";

/** What the trigger queries showed, for a person: failures first. Without numbers where the set-up is broken. */
export function triggerLines(
  triggers: TriggerSummary,
  agreement: TriggerAgreement | null,
  most: number,
): PageLine[] {
  const open = triggers.queries
    .filter(({ status }) => status !== "passed")
    .toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  const lines = [
    `  triggers: ${countText(triggers.queries)}`,
    ...open.slice(0, most).map(queryLine),
    ...(open.length > most ? [`    and ${open.length - most} more; triggers.json has all of them`] : []),
  ];
  if (triggers.validity.status === "invalid") return [...lines, canaryLine(triggers.canary)];
  return [
    ...lines,
    `    recall ${rateText(triggers.recall)}; precision ${rateText(triggers.precision)}; accuracy ${rateText(triggers.accuracy)}${basisText(triggers.queries)}`,
    ...confusionLines(triggers.confusion, triggers.skill),
    ...(triggers.canary.status === "fired" ? [] : [canaryLine(triggers.canary)]),
    ...adaptiveLines(triggers),
    ...agreementLines(agreement),
  ];
}

/** Beside counts of passed queries, which rest on repeats too and leave unsettled ones out. */
function basisText(queries: readonly QuerySummary[]): string {
  const differs = queries.some(
    ({ status, fired, repeated }) => status === "unsettled" || repeated.runs > fired.total,
  );
  return differs ? "; rates use the first runs of every query, settled or not, without repeats" : "";
}

const ORDER: readonly QuerySummary["status"][] = ["failed", "unsettled", "unscored"];

function countText(queries: readonly QuerySummary[]): string {
  const count = (status: QuerySummary["status"]) => queries.filter((query) => query.status === status).length;
  const rest = (["unsettled", "unscored"] as const).filter((status) => count(status) > 0);
  return [
    `${count("passed")} of ${queries.length} queries passed`,
    ...rest.map((status) => `${count(status)} ${status}`),
  ].join(", ");
}

function queryLine({ query, shouldTrigger, status, reason, others, leftOut }: QuerySummary): PageLine {
  const short = query.replaceAll("\n", " ");
  const said = short.length > 100 ? `${short.slice(0, 97)}...` : short;
  const seen = list(others);
  const missing = list(leftOut);
  const text = [
    `    ${shouldTrigger ? "should fire" : "should not fire"}: ${JSON.stringify(said)}: ${status === "unsettled" ? "unsettled, " : ""}${reason}`,
    ...(seen === "" ? [] : [`loaded instead: ${seen}`]),
    ...(missing === "" ? [] : [`left out: ${missing}`]),
  ].join("; ");
  return { mark: status === "failed" ? "failed" : "open", text };
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
      `    ${runs === 1 ? "1 run" : `${runs} runs`} loaded ${fired ?? "none"} where ${expected ?? "none"} was expected`,
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
