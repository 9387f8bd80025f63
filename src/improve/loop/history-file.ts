import type { JsonObject } from "../../domain/json.ts";
import type { History, HistoryEntry } from "../../store/read/history.ts";
import { listAt, numberOrNull, objectAt, textAt } from "../../lib/loose.ts";
import type { Confirmation, FreshResult } from "./confirmation.ts";
import { adoptedVersion, leadingVersion, type LoopRecord, type Round } from "./record.ts";

export interface HistoryHead {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly skillName: string;
  /** What all rounds have in common; a call that differs does not go on with them. */
  readonly about: JsonObject;
}

/** history.json as skill-creator's schema has it, with our own keys beside: a version is the current best only once it was adopted. */
export function historyFile({ startedAt, skillName, about }: HistoryHead, record: LoopRecord): JsonObject {
  const best = adoptedVersion(record);
  return {
    started_at: startedAt,
    skill_name: skillName,
    current_best: `v${best}`,
    leading: `v${leadingVersion(record)}`,
    iterations: record.rounds.map(({ version, parent, result, leads, dropped, score }) => ({
      version: `v${version}`,
      parent: parent === null ? null : `v${parent}`,
      expectation_pass_rate: score.train,
      grading_result: result,
      is_current_best: version === best,
      leads,
      dropped,
      iteration: score.iteration,
    })),
    confirmations: record.confirmations.map(confirmationEntry),
    about,
  };
}

/** Null where the entries are not ours to go on with: versions out of order, or without what we keep beside. */
export function recordOf({ iterations, extras }: Pick<History, "iterations" | "extras">): LoopRecord | null {
  const rounds = iterations.map(toRound);
  if (!rounds.every((round, index): round is Round => round?.version === index)) return null;
  const confirmations = listAt(extras, "confirmations").map(toConfirmation);
  return confirmations.every((one) => one !== null) ? { rounds, confirmations } : null;
}

function confirmationEntry({ version, against, found, adopted }: Confirmation): JsonObject {
  return {
    version: `v${version}`,
    against: `v${against}`,
    adopted,
    found: found && {
      iteration: found.iteration,
      verdict: found.verdict,
      pass_rates: found.rates && { ...found.rates },
      lift: found.lift,
      interval: found.interval && { ...found.interval },
      p_value: found.pValue,
      cost_ratio: found.costRatio && { ...found.costRatio },
      gains: { train: found.gains.train, held_out: found.gains.heldOut },
      explanation: found.explanation,
    },
  };
}

function toConfirmation(raw: unknown): Confirmation | null {
  const [version, against] = [numberOf(textAt(raw, "version")), numberOf(textAt(raw, "against"))];
  if (version === null || against === null) return null;
  const found = objectAt(raw, "found");
  const adopted = (raw as JsonObject)["adopted"] === true;
  return { version, against, adopted, found: Object.keys(found).length === 0 ? null : toFound(found) };
}

/** What the file holds was written by `confirmationEntry`. */
function toFound(found: Readonly<Record<string, unknown>>): FreshResult {
  const bounds = (key: string) => (found[key] ?? null) as FreshResult["interval"];
  const gains = objectAt(found, "gains");
  return {
    iteration: numberOrNull(found, "iteration") ?? 0,
    verdict: textAt(found, "verdict") as FreshResult["verdict"],
    rates: (found["pass_rates"] ?? null) as FreshResult["rates"],
    lift: numberOrNull(found, "lift"),
    interval: bounds("interval"),
    pValue: numberOrNull(found, "p_value"),
    costRatio: bounds("cost_ratio"),
    gains: { train: numberOrNull(gains, "train"), heldOut: numberOrNull(gains, "held_out") },
    explanation: textAt(found, "explanation"),
  };
}

function toRound({
  version,
  parent,
  gradingResult,
  expectationPassRate,
  extras,
}: HistoryEntry): Round | null {
  const number = numberOf(version);
  const iteration = numberOrNull(extras, "iteration");
  if (number === null || iteration === null || typeof extras["leads"] !== "boolean") return null;
  return {
    version: number,
    parent: parent === null ? null : numberOf(parent),
    result: gradingResult,
    leads: extras["leads"],
    dropped: extras["dropped"] === true,
    score: { iteration, train: expectationPassRate },
  };
}

function numberOf(version: string): number | null {
  const digits = /^v(\d{1,9})$/.exec(version)?.[1];
  return digits === undefined ? null : Number(digits);
}
