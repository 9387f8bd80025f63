import { stat } from "node:fs/promises";
import type { ImprovedVersion, ImprovePage, VersionFinding } from "../../domain/pages.ts";
import type { Confirmation } from "../../improve/loop/confirmation.ts";
import { recordOf } from "../../improve/loop/history-file.ts";
import { adoptedVersion, type Draft, type Round } from "../../improve/loop/record.ts";
import { unifiedDiff } from "../../lib/unified-diff.ts";
import type { SuiteFolder } from "../../store/layout.ts";
import { historyReader } from "../../store/read/history.ts";
import { readDraft } from "../improve/versions.ts";
import { notFound } from "./stored.ts";

/** The versions of a skill from history.json, each with its diff and what fresh runs showed. */
export async function improvePage(skill: string, suite: SuiteFolder): Promise<ImprovePage> {
  if ((await stat(suite.history).catch(() => null)) === null)
    throw notFound(`${skill} has no history: nothing was improved here`);
  const { value, diagnostics } = await historyReader.read(suite.history);
  const problems = diagnostics.map(({ message }) => `history.json: ${message}`);
  if (value === null) return { skill, startedAt: "", adopted: "", versions: [], problems };
  const record = recordOf(value);
  const { startedAt, currentBest } = value;
  if (record === null) {
    const versions = value.iterations.map(({ version, parent, gradingResult }) => ({
      ...UNTOLD,
      version,
      parent,
      result: gradingResult,
    }));
    return { skill, startedAt, adopted: currentBest, versions, problems };
  }
  const drafts = new Map<number, Draft>();
  for (const { version } of record.rounds) {
    const draft = await readDraft(suite, version, "SKILL.md").catch(() => null);
    if (draft !== null) drafts.set(version, draft);
  }
  return {
    skill,
    startedAt,
    adopted: `v${adoptedVersion(record)}`,
    versions: record.rounds.map((round) =>
      versionOf(round, {
        drafts,
        confirmation: record.confirmations.findLast(({ version }) => version === round.version) ?? null,
      }),
    ),
    problems,
  };
}

const UNTOLD = { summary: null, diff: null, iteration: null, fresh: null };

function versionOf(
  { version, parent, result, score }: Round,
  { drafts, confirmation }: { drafts: ReadonlyMap<number, Draft>; confirmation: Confirmation | null },
): ImprovedVersion {
  const draft = drafts.get(version);
  const before = parent === null ? undefined : drafts.get(parent);
  return {
    version: `v${version}`,
    parent: parent === null ? null : `v${parent}`,
    result,
    summary: draft?.summary ?? null,
    diff: draft === undefined || before === undefined ? null : draftDiff(before, draft),
    iteration: score.iteration,
    fresh: confirmation && freshOf(confirmation),
  };
}

function draftDiff(before: Draft, after: Draft): string {
  const others = [
    ...new Set([...Object.keys(before.files ?? {}), ...Object.keys(after.files ?? {})]),
  ].toSorted();
  return [
    unifiedDiff({ path: "SKILL.md", before: before.text, after: after.text }),
    ...others.map((path) =>
      unifiedDiff({ path, before: before.files?.[path] ?? null, after: after.files?.[path] ?? "" }),
    ),
  ].join("");
}

function freshOf({ against, adopted, found }: Confirmation): VersionFinding {
  return {
    against: `v${against}`,
    adopted,
    verdict: found?.verdict ?? null,
    rates: found?.rates ?? null,
    lift: found?.lift ?? null,
    interval: found?.interval ?? null,
    explanation: found?.explanation ?? null,
    iteration: found?.iteration ?? null,
  };
}
