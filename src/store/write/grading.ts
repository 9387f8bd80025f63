import type { Layer } from "../../domain/check.ts";
import type { AddressedPassage, CheckedClaim, Grading, UserNotes } from "../../domain/grading.ts";
import type { Run } from "../../domain/run.ts";
import type { Bound } from "../../domain/summary.ts";
import type { Evidence, EvidenceSource, Verdict } from "../../domain/verdict.ts";
import type { MetricsFile } from "./metrics.ts";
import { seconds } from "./timing.ts";

/**
 * grading.json in skill-creator's shape, with more beside it. `timing` has no total: Anthropic's aggregator would then
 * skip timing.json and take characters for tokens.
 */
export interface GradingFile {
  readonly expectations: readonly Expectation[];
  readonly summary: {
    readonly passed: number;
    readonly failed: number;
    readonly total: number;
    readonly pass_rate: number;
    readonly unscored: number;
  };
  /** Apart from the expectations, so that no tool takes them for failures. */
  readonly unscored: readonly {
    readonly id: string;
    readonly layer: Layer;
    readonly text: string;
    readonly reason: string;
  }[];
  readonly execution_metrics: Omit<MetricsFile, "files_created" | "files_modified">;
  readonly timing: {
    readonly executor_duration_seconds: number | null;
    readonly grader_duration_seconds: number;
  };
  /** What the eval file asks of the run as a whole, and what it reached; absent: nothing. */
  readonly gates?: readonly Bound[];
  readonly claims: readonly CheckedClaim[];
  readonly user_notes_summary: {
    readonly uncertainties: readonly string[];
    readonly needs_review: readonly string[];
    readonly workarounds: readonly string[];
  };
  readonly eval_feedback?: {
    readonly suggestions: readonly { readonly assertion?: string; readonly reason: string }[];
    readonly overall: string;
  };
}

export interface GradedRun {
  readonly run: Run;
  readonly grading: Grading;
  readonly metrics: MetricsFile;
  readonly gates?: readonly Bound[];
}

interface Expectation {
  readonly text: string;
  readonly passed: boolean;
  readonly evidence: string;
  readonly id: string;
  readonly layer: Layer;
  readonly status: "passed" | "failed";
  readonly score?: number;
  readonly entry?: number;
  readonly cached?: true;
}

/** Null when nothing was scored: a run without grading.json is left out by every tool, one without passes is not. */
export function gradingFile({ run, grading, metrics, gates = [] }: GradedRun): GradingFile | null {
  const expectations = grading.verdicts.flatMap((verdict) => toExpectation(verdict) ?? []);
  if (expectations.length === 0) return null;
  const passed = expectations.filter((expectation) => expectation.passed).length;
  const unscored = grading.verdicts.filter((verdict) => verdict.status === "unscored");
  const { files_created: _created, files_modified: _modified, ...executionMetrics } = metrics;
  return {
    expectations,
    summary: {
      passed,
      failed: expectations.length - passed,
      total: expectations.length,
      pass_rate: round(passed / expectations.length),
      unscored: unscored.length,
    },
    unscored: unscored.map(({ checkId, layer, text, reason }) => ({ id: checkId, layer, text, reason })),
    execution_metrics: executionMetrics,
    timing: {
      executor_duration_seconds: run.durationMs === null ? null : seconds(run.durationMs),
      grader_duration_seconds: seconds(grading.durationMs),
    },
    ...(gates.length === 0 ? {} : { gates }),
    claims: grading.claims,
    user_notes_summary: userNotes(run, grading.userNotes, grading.addressed),
    ...(grading.evalFeedback === null ? {} : { eval_feedback: toEvalFeedback(grading.evalFeedback) }),
  };
}

/** Evidence as one line of text: where it stands, what it says, and why that decides. */
export function evidenceText(verdict: Verdict): string {
  return [...verdict.evidence.map(pieceText), verdict.reason]
    .filter((part) => part.trim() !== "")
    .join(" — ");
}

/** What a reader of a run should know, as skill-creator's aggregator copies it into benchmark.json. */
export function runNotes(run: Run): string[] {
  const { uncertainties, needs_review: toReview } = userNotes(run, undefined);
  return [...uncertainties, ...toReview];
}

/** What the agent wrote down, and what we saw. */
function userNotes(
  run: Run,
  own: UserNotes | undefined,
  addressed: Grading["addressed"] = [],
): GradingFile["user_notes_summary"] {
  const validity = run.validity.status === "verified" ? [] : [run.validity.reason];
  return {
    uncertainties: [...validity, ...(own?.uncertainties ?? [])],
    needs_review: [
      ...addressed.map(addressedText),
      ...denials(run),
      ...run.notes,
      ...(own?.needsReview ?? []),
    ],
    workarounds: own?.workarounds ?? [],
  };
}

function addressedText({ place, text }: AddressedPassage): string {
  return `${place} addresses the judge, and was not used as evidence: ${text}`;
}

function toExpectation(verdict: Verdict): Expectation | null {
  if (verdict.status === "unscored") return null;
  return {
    text: verdict.text,
    passed: verdict.status === "passed",
    evidence: evidenceText(verdict),
    id: verdict.checkId,
    layer: verdict.layer,
    status: verdict.status,
    ...(verdict.score === null ? {} : { score: verdict.score }),
    ...(verdict.entry === null ? {} : { entry: verdict.entry }),
    ...(verdict.cached === true ? { cached: true } : {}),
  };
}

function pieceText(piece: Evidence): string {
  switch (piece.kind) {
    case "quote":
      return `${sourceText(piece.source)}: "${piece.text}"`;
    case "absence":
      return `not found in ${piece.searched.map(sourceText).join(", ") || "anything"}`;
    case "measure":
    case "outcome":
      return piece.text;
  }
}

function sourceText(source: EvidenceSource): string {
  switch (source.kind) {
    case "output":
      return source.line === null ? "output" : `output:${source.line}`;
    case "event":
      return `transcript event ${source.index}`;
    case "file":
      return source.line === null ? source.path : `${source.path}:${source.line}`;
  }
}

function denials(run: Run): string[] {
  const tools = [...new Set(run.denials.map((denial) => denial.tool))];
  return tools.map((tool) => {
    const count = run.denials.filter((denial) => denial.tool === tool).length;
    return `${tool} was denied ${count === 1 ? "once" : `${count} times`}`;
  });
}

function toEvalFeedback(feedback: NonNullable<Grading["evalFeedback"]>) {
  return {
    suggestions: feedback.suggestions.map(({ assertion, reason }) =>
      assertion === null ? { reason } : { assertion, reason },
    ),
    overall: feedback.overall,
  };
}

function round(rate: number): number {
  return Math.round(rate * 10_000) / 10_000;
}
