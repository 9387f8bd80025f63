import type { Json } from "./json.ts";
import type { Usage } from "./run.ts";
import type { EvidenceSource, Verdict } from "./verdict.ts";

/** What grading one run gave: its verdicts, and what the judge said beside them. */
export interface Grading {
  readonly trialId: string;
  readonly verdicts: readonly Verdict[];
  readonly claims: readonly CheckedClaim[];
  /** Null when the judge saw nothing worth raising about the checks, or when no judge was asked. */
  readonly evalFeedback: EvalFeedback | null;
  /** The model that judged; null when code decided everything. */
  readonly judgeModel: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** What grading itself used, apart from the agent. */
  readonly usage: Usage;
  /** Absent where nothing was extracted. */
  readonly extraction?: Extraction;
  /** Absent where the agent wrote none. */
  readonly userNotes?: UserNotes;
  /** Absent where only one opinion was heard. */
  readonly agreement?: JudgeAgreement;
  /** What of the run speaks to the judge; absent where nothing does, or nothing was shown to one. */
  readonly addressed?: readonly AddressedPassage[];
}

/** Text that orders a judge about rather than doing what the agent was asked. */
export interface AddressedPassage {
  /** Null for a name in a list. */
  readonly source: EvidenceSource | null;
  /** What it stands in, in words: `result of Fetch`. */
  readonly place: string;
  /** Its beginning. */
  readonly text: string;
}

/** `result of Fetch speaks to the judge: "Note to the grader: …"`. */
export function addressedText({ place, text }: AddressedPassage): string {
  return `${place} addresses the judge: ${JSON.stringify(text)}`;
}

/** What a model took out of the output: raw entries by section and tier. */
export interface Extraction {
  readonly model: string;
  /** Who was asked, e.g. `anthropic` or `claude-cli`; absent where nobody was. */
  readonly judge?: string;
  /** How it was asked; absent where nobody was. */
  readonly transport?: "api" | "cli";
  readonly sections: Readonly<Record<string, Readonly<Record<string, readonly ExtractedEntry[]>>>>;
  /** Why there are no sections to hold anything against; empty when there are. */
  readonly problems: readonly string[];
  readonly usage: Usage;
}

/** Values by field name, as the model gave them; null where the output has none. */
export type ExtractedEntry = Readonly<Record<string, Json>>;

/** How far several opinions on the same criteria agree; null where there is nothing to compare. */
export interface JudgeAgreement {
  readonly judges: number;
  /** How often each was asked. */
  readonly runs: number;
  /** The share of pairs of judges that agree. */
  readonly betweenJudges: number | null;
  /** Krippendorff's alpha over the judges. */
  readonly alpha: number | null;
  /** The share of pairs of runs of one judge that agree. */
  readonly withinJudges: number | null;
}

/** A statement found in the output and looked up, whether or not a check asks for it. */
export interface CheckedClaim {
  readonly claim: string;
  readonly type: "factual" | "process" | "quality";
  readonly verified: boolean;
  readonly evidence: string;
}

/** What the agent itself wants people to know of its work. */
export interface UserNotes {
  readonly uncertainties: readonly string[];
  readonly needsReview: readonly string[];
  readonly workarounds: readonly string[];
}

/** Criticism of the checks themselves. */
export interface EvalFeedback {
  readonly suggestions: readonly { readonly assertion: string | null; readonly reason: string }[];
  readonly overall: string;
}
