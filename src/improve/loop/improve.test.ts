import { describe, expect, it } from "vitest";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import { historyReader } from "../../store/read/history.ts";
import type { Edit } from "../edit.ts";
import { historyFile, roundsOf } from "./history-file.ts";
import {
  type Compared,
  improveSkill,
  type LoopLimits,
  type LoopOutcome,
  type LoopParts,
  type Measured,
  type Stopped,
} from "./improve.ts";
import { type Draft, overfitting, type Round, type Score } from "./record.ts";
import { splitCases } from "./split-cases.ts";

const LIMITS: LoopLimits = { rounds: 3, goal: 1, maxMs: null, patience: 2 };
const STOPPED: Stopped = { status: "stopped", why: "interrupted", message: "interrupted" };

interface World {
  readonly drafts: Map<number, Draft>;
  rounds: readonly Round[];
  /** Paid work, in order; work that was done is remembered and never paid again. */
  readonly paid: string[];
  readonly rejected: (readonly Edit[])[];
  /** What each draft was told of, as `newer-older`. */
  readonly compared: string[][];
  readonly done: Set<string>;
}

interface Plan {
  /** By version. */
  readonly scores: readonly (readonly [train: number, heldOut: number | null])[];
  /** By version, from 1. */
  readonly winners: readonly Compared["winner"][];
  readonly edits?: (version: number) => readonly Edit[];
  /** Paid work that may be done before the loop is stopped; null: all. */
  readonly allowance?: number | null;
}

function world(): World {
  const v0: Draft = { version: 0, parent: null, text: "v0", summary: "", edits: [] };
  return { drafts: new Map([[0, v0]]), rounds: [], paid: [], rejected: [], compared: [], done: new Set() };
}

function edit(version: number): Edit {
  return { anchor: `a${version}`, replacement: `r${version}`, rationale: "so", motivatedBy: ["1/a"] };
}

async function run(around: World, plan: Plan, limits: Partial<LoopLimits> = {}): Promise<LoopOutcome> {
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
      const [train = 0, heldOut = null] = plan.scores[version] ?? [];
      const score: Score = { iteration: version + 1, all: train, train, heldOut };
      const failing =
        train === 1
          ? []
          : [{ id: "1/a", caseId: "1", prompt: "p", text: "t", failedRuns: 1, runs: 1, evidence: [] }];
      return { status: "measured", score, failing, feedback: [] };
    },
    async suggest({ parent, rejected, compared }) {
      around.rejected.push(rejected);
      around.compared.push(compared.map(({ newer, older }) => `${newer}-${older}`));
      const version = around.rounds.length;
      if (!pays(`suggest v${version}`))
        return { status: "unanswered", reason: "interrupted", usage: UNKNOWN_USAGE };
      const edits = plan.edits?.(version) ?? [edit(version)];
      const text = `${parent.text}+v${version}`;
      return { status: "suggested", summary: "s", edits, dropped: [], text, usage: UNKNOWN_USAGE };
    },
    async compare(newer, older): Promise<Compared | Stopped> {
      if (!pays(`compare v${newer} v${older}`)) return STOPPED;
      return { status: "compared", winner: plan.winners[newer - 1] ?? "tie" };
    },
    readDraft: async (version) => around.drafts.get(version) ?? null,
    keepDraft: async (draft) => void around.drafts.set(draft.version, draft),
    keepRounds: async (rounds) => void (around.rounds = [...rounds]),
    tell: () => {},
    elapsedMs: () => around.paid.length * 1000,
  };
  return improveSkill(around.rounds, parts, { ...LIMITS, ...limits });
}

const THREE: Plan = {
  scores: [
    [0.2, 0.5],
    [0.5, 0.5],
    [0.6, 0.5],
    [0.5, 0.5],
  ],
  winners: ["newer", "older", "tie"],
};

const EXPECTED = [
  ["v0", null, "baseline", false],
  ["v1", "v0", "won", true],
  ["v2", "v1", "lost", false],
  ["v3", "v1", "tie", false],
];

function told(rounds: readonly Round[]) {
  const file = historyFile({ startedAt: "2026-01-15T10:30:00Z", skillName: "pdf", about: {} }, rounds);
  const { value, diagnostics } = historyReader.parse("history.json", JSON.stringify(file));
  expect(diagnostics).toEqual([]);
  return { history: value, rounds: value === null ? null : roundsOf(value) };
}

describe("the improve loop", () => {
  it("goes on from the best version, and history.json tells it to the field", async () => {
    const around = world();
    const { rounds, end } = await run(around, THREE);
    expect(end).toEqual({ kind: "rounds" });
    const { history, rounds: read } = told(rounds);
    expect(history?.currentBest).toBe("v1");
    expect(
      history?.iterations.map(({ version, parent, gradingResult, isCurrentBest }) => [
        version,
        parent,
        gradingResult,
        isCurrentBest,
      ]),
    ).toEqual(EXPECTED);
    expect(read).toEqual(rounds);
    expect([...around.drafts.values()].map(({ text }) => text)).toEqual([
      "v0",
      "v0+v1",
      "v0+v1+v2",
      "v0+v1+v3",
    ]);
    expect(around.rejected).toEqual([[], [], [edit(2)]]);
    expect(around.compared).toEqual([[], ["1-0"], ["2-1", "1-0"]]);
  });

  it("can be interrupted after any piece of work and goes on with nothing lost or paid twice", async () => {
    const whole = world();
    const { rounds } = await run(whole, THREE);
    for (let allowance = 0; allowance < whole.paid.length; allowance++) {
      const around = world();
      const cut = await run(around, { ...THREE, allowance });
      expect(["stopped", "no-edits"]).toContain(cut.end.kind);
      const again = await run(around, THREE);
      expect(again.rounds).toEqual(rounds);
      expect(around.paid).toEqual(whole.paid);
    }
  });

  it("does not adopt a winner that does worse on held-out cases", async () => {
    const { rounds } = await run(
      world(),
      {
        scores: [
          [0.2, 0.8],
          [0.9, 0.7],
        ],
        winners: ["newer"],
      },
      { rounds: 1 },
    );
    expect(rounds[1]).toMatchObject({ result: "won", adopted: false });
    expect(told(rounds).history?.currentBest).toBe("v0");
  });

  const half: Plan["scores"] = [
    [0.5, 1],
    [0.9, 1],
  ];

  it.each<[string, Plan, Partial<LoopLimits>, string]>([
    ["the goal is met at the start", { scores: [[1, 1]], winners: [] }, {}, "goal 1"],
    ["the goal is met on the way", { scores: half, winners: ["newer"] }, { goal: 0.9 }, "goal 2"],
    ["nothing fails to learn from", { scores: [[1, 1]], winners: [] }, { goal: 1.1 }, "nothing-fails 1"],
    ["two rounds gained nothing", { ...THREE, winners: ["tie", "older"] }, { rounds: 9 }, "no-gain 3"],
    ["time is up", THREE, { maxMs: 4000 }, "time 2"],
    ["no edits come", { ...THREE, edits: () => [] }, {}, "no-edits 1"],
  ])("ends when %s", async (_, plan, limits, expected) => {
    const { end, rounds } = await run(world(), plan, limits);
    expect(`${end.kind} ${rounds.length}`).toBe(expected);
  });

  it("takes up more rounds later", async () => {
    const around = world();
    const plan: Plan = {
      scores: [
        [0, null],
        [0.1, null],
        [0.2, null],
        [0.3, null],
      ],
      winners: ["newer", "newer", "newer"],
    };
    await run(around, plan, { rounds: 1 });
    const { rounds } = await run(around, plan, { rounds: 3 });
    expect(rounds.map(({ adopted }) => adopted)).toEqual([true, true, true, true]);
  });
});

describe("a foreign history", () => {
  it("is not gone on with", () => {
    const { value } = historyReader.parse(
      "history.json",
      JSON.stringify({
        started_at: "2026-01-15T10:30:00Z",
        skill_name: "pdf",
        current_best: "v0",
        iterations: [
          {
            version: "v0",
            parent: null,
            expectation_pass_rate: 0.65,
            grading_result: "baseline",
            is_current_best: true,
          },
        ],
      }),
    );
    expect(value === null ? null : roundsOf(value)).toBeNull();
  });
});

describe("overfitting", () => {
  const score = (train: number | null, heldOut: number | null): Score => ({
    iteration: 1,
    all: train,
    train,
    heldOut,
  });

  it.each([
    [score(0.9, 0.5), score(0.5, 0.5), /\+40 points, the held-out ones \+0 points/],
    [score(0.9, 0.4), score(0.5, 0.5), /held-out ones -10 points/],
    [score(0.9, 0.85), score(0.5, 0.5), /^fine$/],
    [score(0.5, 0.1), score(0.5, 0.5), /^fine$/],
    [score(0.9, 1), score(0.5, 1), /^fine$/],
    [score(0.9, null), score(0.5, null), /^fine$/],
  ])("%#", (best, baseline, says) => {
    expect(overfitting(best, baseline) ?? "fine").toMatch(says);
  });
});

describe("the split of cases", () => {
  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 1],
    [6, 2],
    [10, 3],
  ])("of %i holds %i out, whatever the order", (count, heldOut) => {
    const ids = Array.from({ length: count }, (_, index) => `case-${index}`);
    const split = splitCases(ids, 5);
    expect(split.heldOut).toHaveLength(heldOut);
    expect([...split.train, ...split.heldOut].toSorted()).toEqual(ids.toSorted());
    expect(splitCases(ids.toReversed(), 5).heldOut.toSorted()).toEqual(split.heldOut.toSorted());
  });
});
