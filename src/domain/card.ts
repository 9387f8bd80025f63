import type { BenchmarkVerdict, Bounds, OtherCasesAnswer } from "./benchmark.ts";
import type { Rate } from "./summary.ts";

/** What was measured of one version of a skill, small enough to publish beside it. Everything in `evidence` comes from journals. */
export interface Card {
  readonly kind: "assay-evidence-card";
  readonly schema: 1;
  /** When it was made, ISO 8601. */
  readonly date: string;
  readonly assay: string;
  /** `sha256` is of the version that was measured. */
  readonly skill: { readonly name: string; readonly sha256: string };
  /** One per iteration, at least one; oldest first. */
  readonly evidence: readonly CardEvidence[];
  /** Null: nobody signed it. */
  readonly signature: CardSignature | null;
}

/** What one iteration showed. Shares are rounded to four digits, so that every machine computes the same. */
export interface CardEvidence {
  readonly iteration: number;
  readonly purpose: "run" | "bench";
  /** When it began, ISO 8601. */
  readonly at: string;
  readonly agent: string;
  /** The program with its version; null: not known. */
  readonly client: string | null;
  /** Null: the client's own default. */
  readonly model: string | null;
  /** Null: no check needed one. */
  readonly judge: string | null;
  readonly versions: { readonly assay: string; readonly node: string; readonly platform: string };
  /** Of the eval files' contents. */
  readonly evals: string;
  readonly cases: number;
  /** With the skill, tasks and queries. */
  readonly runs: number;
  /** Runs and checks that are not in the numbers. */
  readonly missing: { readonly runs: number; readonly checks: number };
  /** Over the checks of tasks with the skill. */
  readonly checks: Rate;
  /** Null where no arms were compared. */
  readonly benchmark: CardBenchmark | null;
  /** Null where no trigger query was asked. */
  readonly triggers: CardTriggers | null;
}

export interface CardBenchmark {
  /** The arm that the skill was compared with. */
  readonly baseline: string;
  /** On these very cases. */
  readonly verdict: BenchmarkVerdict;
  readonly lift: number | null;
  readonly interval: Bounds | null;
  readonly alpha: number;
  /** Scored in both arms. */
  readonly cases: number;
  readonly runs: { readonly treatment: number; readonly baseline: number };
  /** On other cases like these. */
  readonly otherCases: Pick<OtherCasesAnswer, "verdict" | "interval" | "improvesAtLeast" | "worsensAtLeast">;
}

export interface CardTriggers {
  /** False: the set-up was broken, and the numbers say nothing. */
  readonly valid: boolean;
  readonly queries: number;
  /** Queries that chance may have decided. */
  readonly unsettled: number;
  readonly precision: Rate;
  readonly recall: Rate;
}

export interface CardSignature {
  readonly algorithm: "ed25519";
  /** SPKI, base64. */
  readonly publicKey: string;
  /** Of everything else on the card, base64. */
  readonly value: string;
}

/** Cards of this name may lie in the skill that they are about: no digest counts them, no agent sees them. */
export const CARD_NAME = "assay-card";

export function isCardFile(path: string): boolean {
  return /(?:^|\/)assay-card\.(?:json|svg)$/.test(path);
}
