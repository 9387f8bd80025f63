import type { JsonObject } from "../../domain/json.ts";
import type { History, HistoryEntry } from "../../store/read/history.ts";
import { numberOrNull } from "../../lib/loose.ts";
import { bestVersion, type Round } from "./record.ts";

export interface HistoryHead {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly skillName: string;
  /** What all rounds have in common; a call that differs does not go on with them. */
  readonly about: JsonObject;
}

/** history.json as skill-creator's schema has it, with our own keys beside. */
export function historyFile(
  { startedAt, skillName, about }: HistoryHead,
  rounds: readonly Round[],
): JsonObject {
  const best = bestVersion(rounds);
  return {
    started_at: startedAt,
    skill_name: skillName,
    current_best: `v${best}`,
    iterations: rounds.map(({ version, parent, result, adopted, score }) => ({
      version: `v${version}`,
      parent: parent === null ? null : `v${parent}`,
      expectation_pass_rate: score.all,
      grading_result: result,
      is_current_best: version === best,
      adopted,
      iteration: score.iteration,
      train_pass_rate: score.train,
      held_out_pass_rate: score.heldOut,
    })),
    about,
  };
}

/** Null where the entries are not ours to go on with: versions out of order, or without what we keep beside. */
export function roundsOf({ iterations }: Pick<History, "iterations">): readonly Round[] | null {
  const rounds = iterations.map(toRound);
  return rounds.every((round, index): round is Round => round?.version === index) ? rounds : null;
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
  if (number === null || iteration === null || typeof extras["adopted"] !== "boolean") return null;
  return {
    version: number,
    parent: parent === null ? null : numberOf(parent),
    result: gradingResult,
    adopted: extras["adopted"],
    score: {
      iteration,
      all: expectationPassRate,
      train: numberOrNull(extras, "train_pass_rate"),
      heldOut: numberOrNull(extras, "held_out_pass_rate"),
    },
  };
}

function numberOf(version: string): number | null {
  const digits = /^v(\d{1,9})$/.exec(version)?.[1];
  return digits === undefined ? null : Number(digits);
}
