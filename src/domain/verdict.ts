import type { Layer } from "./check.ts";

/** One check on one run. */
export type Verdict = VerdictHead & VerdictStatus;

interface VerdictHead {
  readonly trialId: string;
  readonly checkId: string;
  readonly layer: Layer;
  readonly text: string;
  /** Where to look; a passed or failed verdict has at least one piece. */
  readonly evidence: readonly Evidence[];
  /** Why, in a sentence or two. */
  readonly reason: string;
  /** 0 to 1 where a judge gave one; consistent with the status. */
  readonly score: number | null;
  /** Which extracted entry an L2 field verdict is about, from 0. */
  readonly entry: number | null;
  /** A judge's answer that it rests on was remembered from an earlier grading; absent: none was. */
  readonly cached?: true;
}

type VerdictStatus =
  | { readonly status: "passed" }
  | { readonly status: "failed" }
  /** No evidence either way; never counted as passed or failed. */
  | { readonly status: "unscored" };

/** By check: whether it passed, where that is known. One on extracted entries has a verdict for each, and passes when all do. */
export function decidedChecks(
  verdicts: readonly Pick<Verdict, "checkId" | "status">[],
): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const { checkId, status } of verdicts) {
    if (status !== "unscored") found.set(checkId, found.get(checkId) !== false && status === "passed");
  }
  for (const { checkId, status } of verdicts) {
    if (status === "unscored" && found.get(checkId) !== false) found.delete(checkId);
  }
  return found;
}

export type Evidence =
  | { readonly kind: "quote"; readonly text: string; readonly source: EvidenceSource }
  /** Nothing of the kind in what was searched, all of which was shown whole. */
  | { readonly kind: "absence"; readonly searched: readonly EvidenceSource[] }
  /** A figure computed by code. */
  | { readonly kind: "measure"; readonly text: string }
  | { readonly kind: "outcome"; readonly text: string };

/** Lines count from 1. */
export type EvidenceSource =
  | { readonly kind: "output"; readonly line: number | null }
  | { readonly kind: "event"; readonly index: number }
  | { readonly kind: "file"; readonly path: string; readonly line: number | null };
