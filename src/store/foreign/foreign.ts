import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { Layer } from "../../domain/check.ts";
import type { CheckedClaim, EvalFeedback } from "../../domain/grading.ts";
import { type Outcome, UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import type { Variant } from "../../domain/trial.ts";

/** The tools whose results are read. */
type ForeignTool = "skill-creator" | "clauditor" | "bmad" | "plugin-eval";

/** An iteration that another tool left, as far as its files say. */
export interface ForeignIteration {
  readonly tool: ForeignTool;
  /** Absolute. */
  readonly root: string;
  readonly skillName: string;
  /** Where the name of the skill is from: a folder may be called anything. */
  readonly namedBy: "file" | "folder";
  /** ISO 8601. */
  readonly at: string;
  /** The agent program; null: nothing says. */
  readonly harness: string | null;
  readonly model: string | null;
  readonly judgeModel: string | null;
  /** None: what is there holds no run, for reasons that may be among the problems. */
  readonly runs: readonly ForeignRun[];
  /** What a person wrote about the runs, absolute; null: there is none. */
  readonly feedback: string | null;
  /** What cannot be read, and what contradicts something else. */
  readonly problems: readonly Diagnostic[];
}

/** One run, with the paths of what was kept of it. */
export interface ForeignRun {
  /** Its folder in the iteration, with forward slashes; empty: it has none. */
  readonly source: string;
  readonly evalId: string | number;
  readonly name: string | null;
  /** Null: nothing says. */
  readonly prompt: string | null;
  readonly variant: Variant;
  /** Counts from 1. */
  readonly repetition: number;
  /** What was asked of it, graded or not. */
  readonly checks: readonly ForeignCheck[];
  /** Null: it was not graded. */
  readonly grading: ForeignGrading | null;
  /** A folder with the files that it made. */
  readonly files: string | null;
  readonly inputs: string | null;
  readonly answer: ForeignText | null;
  readonly transcript: { readonly kind: "claude-code" | "codex" | "text"; readonly path: string } | null;
  readonly outcome: Outcome;
  readonly durationMs: number | null;
  readonly usage: Usage;
  readonly toolCalls: Readonly<Record<string, number>> | null;
  /** Of a query that only asks whether the skill fires; null: it is a task. */
  readonly trigger: ForeignTrigger | null;
  /** What a reader of the run should know. */
  readonly notes: readonly string[];
}

interface ForeignTrigger {
  readonly expected: boolean;
  readonly fired: boolean;
}

/** Of a run of which nothing was kept but what came of it. */
export const NOTHING_KEPT = {
  source: "",
  files: null,
  inputs: null,
  answer: null,
  transcript: null,
  outcome: { status: "completed" },
  durationMs: null,
  usage: UNKNOWN_USAGE,
  toolCalls: null,
  trigger: null,
  notes: [],
} as const satisfies Partial<ForeignRun>;

export type ForeignText =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "text"; readonly text: string };

export interface ForeignCheck {
  readonly id: string;
  readonly layer: Layer;
  readonly text: string;
}

export interface ForeignGrading {
  readonly verdicts: readonly ForeignVerdict[];
  readonly claims: readonly CheckedClaim[];
  readonly evalFeedback: EvalFeedback | null;
}

export interface ForeignVerdict {
  readonly checkId: string;
  readonly status: "passed" | "failed" | "unscored";
  /** What the other tool says for it; empty: nothing. */
  readonly evidence: string;
  readonly score: number | null;
  /** Which extracted entry it is about, from 0. */
  readonly entry: number | null;
}

/** What hears of everything odd. */
export type Report = (problem: Diagnostic) => void;

/** Something about a file that a person should know; it never stops the reading. */
export function problemAt(file: string, code: string, message: string): Diagnostic {
  return {
    severity: "note",
    code: `foreign/${code}`,
    message,
    at: { file, line: 1, column: 1 },
    hint: null,
  };
}
