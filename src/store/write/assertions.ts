import type { Check, ClaimKind } from "../../domain/check.ts";
import type { Grading } from "../../domain/grading.ts";
import { type Iteration, skillNameIn } from "../../domain/iteration.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Run } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import type { Trial } from "../../domain/trial.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { evidenceText } from "./grading.ts";

/** One graded run and where it lies. */
export interface AssertedRun {
  readonly manifest: Pick<Iteration, "harness" | "suite" | "number" | "skill">;
  readonly one: Case;
  readonly trial: Trial;
  readonly run: Run;
  readonly grading: Grading;
  /** Relative to the iteration. */
  readonly folder: string;
}

/** assertions.json as clauditor's version 2 has it, of one run, with the status beside; null when code had nothing to decide. */
export function assertionsFile({
  manifest,
  one,
  trial,
  run,
  grading,
  folder,
}: AssertedRun): JsonObject | null {
  const verdicts = grading.verdicts.filter((verdict) => verdict.layer === "L1");
  if (verdicts.length === 0) return null;
  return {
    schema_version: 2,
    harness: manifest.harness,
    skill: skillNameIn(manifest),
    iteration: manifest.number,
    runs: [
      {
        run: trial.repetition,
        input_tokens: run.usage.inputTokens ?? 0,
        output_tokens: run.usage.outputTokens ?? 0,
        results: verdicts.map((verdict) =>
          toResult(
            verdict,
            one.checks.find(({ id }) => id === verdict.checkId),
            folder,
          ),
        ),
      },
    ],
  };
}

function toResult(verdict: Verdict, check: Check | undefined, folder: string): JsonObject {
  return {
    id: verdict.checkId,
    name: verdict.text,
    passed: verdict.status === "passed",
    message: verdict.reason,
    kind: check === undefined ? "custom" : (KINDS[check.kind] ?? "custom"),
    evidence: evidenceText(verdict),
    raw_data: null,
    transcript_path: `${folder}/output.jsonl`,
    status: verdict.status,
  };
}

/** clauditor's word for each kind of check it has. */
const KINDS: Readonly<Partial<Record<ClaimKind, string>>> = {
  contains: "presence",
  not_contains: "presence",
  regex: "pattern",
  min_count: "count",
  min_length: "count",
  max_length: "count_max",
  has_urls: "count",
  has_entries: "count",
  urls_reachable: "reachability",
  has_format: "format",
};
