import type { Edit } from "../edit.ts";
import type { FailingCheck } from "../failing.ts";
import type { Suggestion } from "../suggestion/suggest.ts";
import { bestVersion, type Draft, regresses, type Round, roundsWithoutGain, type Score } from "./record.ts";

/** Nothing more can be done now; called again later, the loop goes on here. */
export interface Stopped {
  readonly status: "stopped";
  readonly why: "interrupted" | "budget" | "unfinished";
  readonly message: string;
}

export interface Measured {
  readonly status: "measured";
  readonly score: Score;
  /** Of the cases to learn from only. */
  readonly failing: readonly FailingCheck[];
  /** What a person wrote about these runs. */
  readonly feedback: readonly string[];
}

export interface Compared {
  readonly status: "compared";
  readonly winner: "newer" | "older" | "tie";
}

export interface ComparedVersions {
  readonly newer: number;
  readonly older: number;
}

/** Everything with an effect. Each may be called again for what it has done before, which then costs nothing. */
export interface LoopParts {
  readonly measure: (version: number) => Promise<Measured | Stopped>;
  readonly suggest: (context: {
    readonly parent: Draft;
    readonly measured: Measured;
    readonly rejected: readonly Edit[];
    /** The comparisons that the parent took part in, the newest first. */
    readonly compared: readonly ComparedVersions[];
  }) => Promise<Suggestion>;
  /** Blind, by majority, and then with the reasons. */
  readonly compare: (newer: number, older: number) => Promise<Compared | Stopped>;
  /** Null: there is no such version yet. */
  readonly readDraft: (version: number) => Promise<Draft | null>;
  readonly keepDraft: (draft: Draft) => Promise<void>;
  /** All rounds so far, the last one being new. */
  readonly keepRounds: (rounds: readonly Round[]) => Promise<void>;
  readonly tell: (news: News) => void;
  /** Milliseconds since the call. */
  readonly elapsedMs: () => number;
}

export type News =
  | { readonly kind: "measuring"; readonly version: number }
  | { readonly kind: "drafted"; readonly draft: Draft; readonly dropped: number }
  | { readonly kind: "round"; readonly round: Round; readonly regressed: boolean };

export interface LoopLimits {
  /** Versions beside v0. */
  readonly rounds: number;
  /** Enough is passing from this share on. */
  readonly goal: number;
  readonly maxMs: number | null;
  /** Rounds in a row without gain after which it ends. */
  readonly patience: number;
}

export type LoopEnd =
  | { readonly kind: "goal" | "nothing-fails" | "rounds" | "no-gain" | "time" }
  | { readonly kind: "no-edits"; readonly message: string }
  | ({ readonly kind: "stopped" } & Omit<Stopped, "status">);

export interface LoopOutcome {
  readonly rounds: readonly Round[];
  readonly end: LoopEnd;
}

/**
 * Drafts versions from the best so far, runs them, and adopts one only when it wins blind by majority and the held-out
 * cases do not suffer. `earlier` are the rounds that history.json holds; what was begun after them is taken up.
 */
export async function improveSkill(
  earlier: readonly Round[],
  parts: LoopParts,
  limits: LoopLimits,
): Promise<LoopOutcome> {
  const rounds = [...earlier];
  const close = async (round: Round, regressed: boolean) => {
    rounds.push(round);
    await parts.keepRounds(rounds);
    parts.tell({ kind: "round", round, regressed });
  };
  if (rounds.length === 0) {
    parts.tell({ kind: "measuring", version: 0 });
    const baseline = await parts.measure(0);
    if (baseline.status === "stopped") return { rounds, end: stoppedBy(baseline) };
    await close(
      { version: 0, parent: null, result: "baseline", adopted: true, score: baseline.score },
      false,
    );
  }
  for (;;) {
    const best = bestVersion(rounds);
    const measured = await parts.measure(best);
    if (measured.status === "stopped") return { rounds, end: stoppedBy(measured) };
    const version = rounds.length;
    const draft = await parts.readDraft(version);
    const end = draft === null ? endOf(rounds, measured, { limits, elapsedMs: parts.elapsedMs() }) : null;
    if (end !== null) return { rounds, end };
    const drafted = draft ?? (await newDraft(rounds, best, { measured, parts }));
    if ("kind" in drafted) return { rounds, end: drafted };
    const judged = await judge(drafted, best, { before: measured.score, parts });
    if ("status" in judged) return { rounds, end: stoppedBy(judged) };
    await close(judged.round, judged.regressed);
  }
}

function endOf(
  rounds: readonly Round[],
  { score, failing }: Measured,
  { limits, elapsedMs }: { limits: LoopLimits; elapsedMs: number },
): LoopEnd | null {
  if (score.all !== null && score.all >= limits.goal) return { kind: "goal" };
  if (failing.length === 0) return { kind: "nothing-fails" };
  if (rounds.length > limits.rounds) return { kind: "rounds" };
  if (roundsWithoutGain(rounds) >= limits.patience) return { kind: "no-gain" };
  return limits.maxMs !== null && elapsedMs >= limits.maxMs ? { kind: "time" } : null;
}

async function newDraft(
  rounds: readonly Round[],
  best: number,
  { measured, parts }: { measured: Measured; parts: LoopParts },
): Promise<Draft | LoopEnd> {
  const version = rounds.length;
  const parent = await parts.readDraft(best);
  if (parent === null) throw new Error(`v${best} is missing`);
  const suggestion = await parts.suggest({
    parent,
    measured,
    rejected: await rejectedEdits(version, best, parts),
    compared: comparisonsOf(best, rounds),
  });
  if (suggestion.status === "unanswered")
    return { kind: "stopped", why: "unfinished", message: `nothing was drafted: ${suggestion.reason}` };
  if (suggestion.edits.length === 0) {
    const [first] = suggestion.dropped;
    return { kind: "no-edits", message: first === undefined ? suggestion.summary : first.why };
  }
  const { text, summary, edits } = suggestion;
  const draft: Draft = { version, parent: best, text, summary, edits };
  await parts.keepDraft(draft);
  parts.tell({ kind: "drafted", draft, dropped: suggestion.dropped.length });
  return draft;
}

function comparisonsOf(best: number, rounds: readonly Round[]): readonly ComparedVersions[] {
  return rounds
    .flatMap(({ version, parent }) =>
      parent !== null && (version === best || parent === best) ? [{ newer: version, older: parent }] : [],
    )
    .toReversed();
}

/** The edits of every version that is no ancestor of the best one. */
async function rejectedEdits(
  version: number,
  best: number,
  { readDraft }: LoopParts,
): Promise<readonly Edit[]> {
  const drafts = await Promise.all(Array.from({ length: version }, (_, number) => readDraft(number)));
  const kept = new Set<number>();
  for (let at: number | null = best; at !== null; at = drafts[at]?.parent ?? null) kept.add(at);
  return drafts.flatMap((draft) => (draft === null || kept.has(draft.version) ? [] : draft.edits));
}

async function judge(
  { version }: Draft,
  best: number,
  { before, parts }: { before: Score; parts: LoopParts },
): Promise<{ readonly round: Round; readonly regressed: boolean } | Stopped> {
  parts.tell({ kind: "measuring", version });
  const measured = await parts.measure(version);
  if (measured.status === "stopped") return measured;
  const compared = await parts.compare(version, best);
  if (compared.status === "stopped") return compared;
  const regressed = regresses(measured.score, before);
  const result = ({ newer: "won", older: "lost", tie: "tie" } as const)[compared.winner];
  const adopted = result === "won" && !regressed;
  return { round: { version, parent: best, result, adopted, score: measured.score }, regressed };
}

function stoppedBy({ why, message }: Stopped): LoopEnd {
  return { kind: "stopped", why, message };
}
