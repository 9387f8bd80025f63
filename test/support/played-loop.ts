import { UNKNOWN_USAGE } from "../../src/domain/run.ts";
import type { Edit } from "../../src/improve/edit.ts";
import type { FreshResult } from "../../src/improve/loop/confirmation.ts";
import {
  type VersionsCompared,
  type Confirmed,
  improveSkill,
  type LoopLimits,
  type LoopOutcome,
  type LoopParts,
  type Measured,
  type Stopped,
} from "../../src/improve/loop/improve.ts";
import type { Draft, LoopRecord, Score } from "../../src/improve/loop/record.ts";

const LIMITS: LoopLimits = { rounds: 3, goal: 1, maxMs: null, patience: 2, acceptEqual: false };
const STOPPED: Stopped = { status: "stopped", why: "interrupted", message: "interrupted" };

/** What fresh runs show of a version that is no better. */
export const NOTHING_FOUND: FreshResult = {
  iteration: 9,
  verdict: "underpowered",
  rates: { version: 0.5, against: 0.5 },
  lift: 0,
  interval: { low: -0.3, high: 0.3 },
  pValue: 1,
  costRatio: null,
  gains: { train: 0, heldOut: 0 },
  explanation: "Undecided.",
};

export interface World {
  readonly drafts: Map<number, Draft>;
  record: LoopRecord;
  /** Paid work, in order; work that was done is remembered and never paid again. */
  readonly paid: string[];
  readonly rejected: (readonly Edit[])[];
  /** What each draft was told of, as `newer-older`. */
  readonly compared: string[][];
  readonly done: Set<string>;
}

export interface Plan {
  /** By version. */
  readonly scores: readonly number[];
  /** By version, from 1: whom the judges lean to; nobody where it is not said. */
  readonly prefers?: readonly VersionsCompared["prefers"][];
  /** Versions that fall behind after their first runs. */
  readonly dropped?: readonly number[];
  /** What fresh runs of a version show; nothing where it is not said. */
  readonly found?: Readonly<Record<number, Partial<FreshResult>>>;
  readonly edits?: (version: number) => readonly Edit[];
  /** Paid work that may be done before the loop is stopped; null: all. */
  readonly allowance?: number | null;
}

/** Nothing was done yet. */
export function world(): World {
  const v0: Draft = { version: 0, parent: null, text: "v0", summary: "", edits: [] };
  return {
    drafts: new Map([[0, v0]]),
    record: { rounds: [], confirmations: [] },
    paid: [],
    rejected: [],
    compared: [],
    done: new Set(),
  };
}

export function edit(version: number): Edit {
  return { anchor: `a${version}`, replacement: `r${version}`, rationale: "so", motivatedBy: ["1/a"] };
}

/** Plays the loop; work that was paid for before costs nothing. */
export async function run(around: World, plan: Plan, limits: Partial<LoopLimits> = {}): Promise<LoopOutcome> {
  let left = plan.allowance ?? Infinity;
  const pays = (work: string): boolean => {
    if (around.done.has(work)) return true;
    if (left <= 0) return false;
    left--;
    around.done.add(work);
    around.paid.push(work);
    return true;
  };
  const parts: LoopParts = {
    async measure(version): Promise<Measured | Stopped> {
      if (!pays(`measure v${version}`)) return STOPPED;
      const train = plan.scores[version] ?? 0;
      const score: Score = { iteration: version + 1, train };
      const dropped = plan.dropped?.includes(version) ?? false;
      const failing =
        train === 1
          ? []
          : [{ id: "1/a", caseId: "1", prompt: "p", text: "t", failedRuns: 1, runs: 1, evidence: [] }];
      return { status: "measured", score, dropped, failing, feedback: [] };
    },
    async suggest({ parent, rejected, compared }) {
      around.rejected.push(rejected);
      around.compared.push(compared.map(({ newer, older }) => `${newer}-${older}`));
      const version = around.record.rounds.length;
      if (!pays(`suggest v${version}`))
        return { status: "unanswered", reason: "interrupted", usage: UNKNOWN_USAGE };
      const edits = plan.edits?.(version) ?? [edit(version)];
      const text = `${parent.text}+v${version}`;
      return { status: "suggested", summary: "s", edits, dropped: [], text, usage: UNKNOWN_USAGE };
    },
    async compare(newer, older): Promise<VersionsCompared | Stopped> {
      if (!pays(`compare v${newer} v${older}`)) return STOPPED;
      return { status: "compared", prefers: plan.prefers?.[newer - 1] ?? "tie" };
    },
    async confirm(version, against): Promise<Confirmed | Stopped> {
      if (!pays(`confirm v${version} v${against}`)) return STOPPED;
      return { status: "confirmed", found: { ...NOTHING_FOUND, ...plan.found?.[version] } };
    },
    readDraft: async (version) => around.drafts.get(version) ?? null,
    keepDraft: async (draft) => void around.drafts.set(draft.version, draft),
    keep: async ({ rounds, confirmations }) => void (around.record = { rounds: [...rounds], confirmations }),
    tell: () => {},
    elapsedMs: () => around.paid.length * 1000,
  };
  return improveSkill(around.record, parts, { ...LIMITS, ...limits });
}
