import type { Edit } from "../edit.ts";
import type { FailingCheck } from "../failing.ts";
import type { Suggestion } from "../suggestion/suggest.ts";
import { type Confirmation, type FreshResult, isAccepted } from "./confirmation.ts";
import {
  adoptedVersion,
  type Draft,
  leadingVersion,
  type LoopRecord,
  type Round,
  roundsWithoutGain,
  type Score,
} from "./record.ts";

/** Nothing more can be done now; called again later, the loop goes on here. */
export interface Stopped {
  readonly status: "stopped";
  readonly why: "interrupted" | "budget" | "unfinished";
  readonly message: string;
}

export interface Measured {
  readonly status: "measured";
  readonly score: Score;
  /** It fell behind the leader after its first runs, and was not run further. */
  readonly dropped: boolean;
  /** Of the cases to learn from only. */
  readonly failing: readonly FailingCheck[];
  /** What a person wrote about these runs. */
  readonly feedback: readonly string[];
}

export interface VersionsCompared {
  readonly status: "compared";
  /** Whom the judges lean to, be it by chance. */
  readonly prefers: "newer" | "older" | "tie";
}

export interface Confirmed {
  readonly status: "confirmed";
  readonly found: FreshResult;
}

export interface ComparedVersions {
  readonly newer: number;
  readonly older: number;
}

/** Everything with an effect. Each may be called again for what it has done before, which then costs nothing. */
export interface LoopParts {
  /** On the cases to learn from. With a leader, the version is dropped where it clearly falls behind. */
  readonly measure: (version: number, leader: number | null) => Promise<Measured | Stopped>;
  readonly suggest: (context: {
    readonly parent: Draft;
    readonly measured: Measured;
    readonly rejected: readonly Edit[];
    /** The comparisons that the parent took part in, the newest first. */
    readonly compared: readonly ComparedVersions[];
  }) => Promise<Suggestion>;
  /** Blind, and then with the reasons. */
  readonly compare: (newer: number, older: number) => Promise<VersionsCompared | Stopped>;
  /** Both versions anew, on all cases. */
  readonly confirm: (version: number, against: number) => Promise<Confirmed | Stopped>;
  /** Null: there is no such version yet. */
  readonly readDraft: (version: number) => Promise<Draft | null>;
  readonly keepDraft: (draft: Draft) => Promise<void>;
  /** All there is so far, the last of it being new. */
  readonly keep: (record: LoopRecord) => Promise<void>;
  readonly tell: (news: News) => void;
  /** Milliseconds since the call. */
  readonly elapsedMs: () => number;
}

export type News =
  | { readonly kind: "measuring"; readonly version: number }
  | { readonly kind: "drafted"; readonly draft: Draft; readonly dropped: number }
  | { readonly kind: "round"; readonly round: Round }
  | { readonly kind: "confirming"; readonly version: number; readonly against: number }
  | { readonly kind: "confirmed"; readonly confirmation: Confirmation };

export interface LoopLimits {
  /** Versions beside v0. */
  readonly rounds: number;
  /** Enough is passing from this share on. */
  readonly goal: number;
  readonly maxMs: number | null;
  /** Rounds in a row without gain after which it ends. */
  readonly patience: number;
  /** A version that is no better is adopted, too, where it is no worse and costs less. */
  readonly acceptEqual: boolean;
}

export type LoopEnd =
  /** `confirming`: an earlier call had explored enough. */
  | { readonly kind: "goal" | "nothing-fails" | "rounds" | "no-gain" | "time" | "confirming" }
  | { readonly kind: "no-edits"; readonly message: string }
  | ({ readonly kind: "stopped" } & Omit<Stopped, "status">);

export interface LoopOutcome extends LoopRecord {
  readonly end: LoopEnd;
}

/**
 * Explores: drafts versions from the one that leads, runs them on the cases to learn from, and follows whatever does better there.
 * The one that leads in the end is then held against the adopted one with fresh runs on all cases, and adopted only where
 * that confirms it. `earlier` is what history.json holds; what was begun after it is taken up.
 */
export async function improveSkill(
  earlier: LoopRecord,
  parts: LoopParts,
  limits: LoopLimits,
): Promise<LoopOutcome> {
  const isOpen = earlier.confirmations.some(({ found }) => found === null);
  const explored = isOpen ? { ...earlier, end: CONFIRMING } : await explore(earlier, parts, limits);
  return explored.end.kind === "stopped" ? explored : confirmLeader(explored, parts, limits);
}

const CONFIRMING: LoopEnd = { kind: "confirming" };

async function explore(earlier: LoopRecord, parts: LoopParts, limits: LoopLimits): Promise<LoopOutcome> {
  const { confirmations } = earlier;
  const rounds = [...earlier.rounds];
  const ended = (end: LoopEnd): LoopOutcome => ({ rounds, confirmations, end });
  const close = async (round: Round) => {
    rounds.push(round);
    await parts.keep({ rounds, confirmations });
    parts.tell({ kind: "round", round });
  };
  if (rounds.length === 0) {
    parts.tell({ kind: "measuring", version: 0 });
    const baseline = await parts.measure(0, null);
    if (baseline.status === "stopped") return ended(stoppedBy(baseline));
    const { score } = baseline;
    await close({ version: 0, parent: null, result: "baseline", leads: true, dropped: false, score });
  }
  for (;;) {
    const leader = leadingVersion({ rounds, confirmations });
    const measured = await parts.measure(leader, null);
    if (measured.status === "stopped") return ended(stoppedBy(measured));
    const version = rounds.length;
    const draft = await parts.readDraft(version);
    const end = draft === null ? endOf(rounds, measured, { limits, elapsedMs: parts.elapsedMs() }) : null;
    if (end !== null) return ended(end);
    const drafted = draft ?? (await newDraft(rounds, leader, { measured, parts }));
    if ("kind" in drafted) return ended(drafted);
    const judged = await judge(drafted, leader, { before: measured.score, parts });
    if ("status" in judged) return ended(stoppedBy(judged));
    await close(judged);
  }
}

/** Once for each version that leads: asked again until it says yes, chance would. */
async function confirmLeader(
  explored: LoopOutcome,
  parts: LoopParts,
  { acceptEqual }: LoopLimits,
): Promise<LoopOutcome> {
  const { rounds, end } = explored;
  const against = adoptedVersion(explored);
  const version = leadingVersion(explored);
  if (version === against) return explored;
  const others = explored.confirmations.filter((one) => one.version !== version);
  const kept = async (confirmation: Confirmation): Promise<LoopRecord> => {
    const record = { rounds, confirmations: [...others, confirmation] };
    await parts.keep(record);
    return record;
  };
  const before = explored.confirmations.find((one) => one.version === version)?.found ?? null;
  if (before !== null)
    return {
      ...(await kept({ version, against, found: before, adopted: isAccepted(before, acceptEqual) })),
      end,
    };
  parts.tell({ kind: "confirming", version, against });
  const open = await kept({ version, against, found: null, adopted: false });
  const confirmed = await parts.confirm(version, against);
  if (confirmed.status === "stopped") return { ...open, end: stoppedBy(confirmed) };
  const { found } = confirmed;
  const confirmation = { version, against, found, adopted: isAccepted(found, acceptEqual) };
  const record = await kept(confirmation);
  parts.tell({ kind: "confirmed", confirmation });
  return { ...record, end };
}

function endOf(
  rounds: readonly Round[],
  { score, failing, feedback }: Measured,
  { limits, elapsedMs }: { limits: LoopLimits; elapsedMs: number },
): LoopEnd | null {
  // What a person said about the runs is heeded, whatever the checks say.
  const isHeard = feedback.length === 0;
  if (isHeard && score.train !== null && score.train >= limits.goal) return { kind: "goal" };
  if (isHeard && failing.length === 0) return { kind: "nothing-fails" };
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
  const files = { ...parent.files, ...suggestion.files };
  const isMore = Object.keys(files).length > 0;
  const draft: Draft = { version, parent: best, text, ...(isMore && { files }), summary, edits };
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
  leader: number,
  { before, parts }: { before: Score; parts: LoopParts },
): Promise<Round | Stopped> {
  parts.tell({ kind: "measuring", version });
  const measured = await parts.measure(version, leader);
  if (measured.status === "stopped") return measured;
  const { score, dropped } = measured;
  const round = { version, parent: leader, dropped, score };
  if (dropped) return { ...round, result: "lost", leads: false };
  const compared = await parts.compare(version, leader);
  if (compared.status === "stopped") return compared;
  const gain = (score.train ?? 0) - (before.train ?? 0);
  const byJudges = ({ newer: "won", older: "lost", tie: "tie" } as const)[compared.prefers];
  const result = Math.abs(gain) < 1e-9 ? byJudges : gain > 0 ? "won" : "lost";
  return { ...round, result, leads: result === "won" };
}

function stoppedBy({ why, message }: Stopped): LoopEnd {
  return { kind: "stopped", why, message };
}
