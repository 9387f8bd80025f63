import type { Card, CardBenchmark, CardEvidence, CardTriggers } from "../../domain/card.ts";
import { plural } from "../../lib/plural.ts";
import { confidence, points } from "../../stats/words.ts";
import { percent, rateText } from "../text.ts";

/** What one iteration showed, a sentence a line: both answers, checks, triggers, and what they rest on. */
export function evidenceLines(evidence: CardEvidence): readonly string[] {
  const { benchmark, triggers, checks } = evidence;
  return [
    ...(benchmark === null ? [] : [theseCases(benchmark), otherCases(benchmark)]),
    ...(checks.total === 0 ? [] : [`checks passed with the skill: ${rateText(checks)}`]),
    ...(triggers === null ? [] : triggerLines(triggers)),
    restsOn(evidence),
  ];
}

/** The skill's version and who vouches for it. */
export function cardLines(
  { skill, date, assay, signature }: Card,
  fingerprint: string | null,
): readonly string[] {
  return [
    `skill sha256 ${skill.sha256.slice(0, 16)}… · ${date.slice(0, 10)} · assay ${assay}`,
    signature === null || fingerprint === null ? "not signed" : `signed with the ed25519 key ${fingerprint}`,
  ];
}

function theseCases({ verdict, lift, interval, alpha, cases, baseline }: CardBenchmark): string {
  const on = plural(cases, "case");
  const than = baseline === "without_skill" ? "no skill" : "the version before";
  const size = lift === null ? "" : `: ${points(lift)} points`;
  const range =
    interval === null
      ? ""
      : ` (${confidence(alpha)} interval ${points(interval.low)} to ${points(interval.high)})`;
  switch (verdict) {
    case "better":
    case "worse":
      return `${verdict} than ${than} on ${on}${size}${range}`;
    case "no difference seen":
      return `no difference from ${than} seen on ${on}${size}${range}`;
    case "underpowered":
      return `undecided against ${than} on ${on}${size}${range}`;
    case "invalid":
      return `not measured against ${than}`;
  }
}

function otherCases({ otherCases: answer, alpha }: CardBenchmark): string {
  const interval =
    answer.interval === null
      ? ""
      : ` (${confidence(alpha)} interval ${points(answer.interval.low)} to ${points(answer.interval.high)})`;
  switch (answer.verdict) {
    case "better":
      return `other cases like these: helps in at least ${percent(answer.improvesAtLeast ?? 0)}${interval}`;
    case "worse":
      return `other cases like these: hurts in at least ${percent(answer.worsensAtLeast ?? 0)}${interval}`;
    case "undecided":
      return `other cases like these: undecided${interval}`;
    case "too few":
      return "other cases like these: too few cases to say";
    case "invalid":
      return "other cases like these: not measured";
  }
}

function triggerLines({ valid, queries, unsettled, precision, recall }: CardTriggers): readonly string[] {
  const asked = `${plural(queries, "query", "queries")}${unsettled === 0 ? "" : `, ${unsettled} unsettled`}`;
  if (!valid) return [`triggers: not measured (${asked}, broken set-up)`];
  return [`trigger precision: ${rateText(precision)}`, `trigger recall: ${rateText(recall)}; ${asked}`];
}

function restsOn({ agent, client, model, cases, runs, missing, iteration }: CardEvidence): string {
  const left = [
    ...(missing.runs === 0 ? [] : [`${plural(missing.runs, "run")} missing`]),
    ...(missing.checks === 0 ? [] : [`${plural(missing.checks, "check")} unscored`]),
  ];
  return [
    client ?? agent,
    model ?? "default model",
    `${plural(cases, "case")}, ${plural(runs, "run")} with the skill`,
    ...left,
    `iteration ${iteration}`,
  ].join(" · ");
}
