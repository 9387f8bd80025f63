import { describe, expect, it } from "vitest";
import type { Case } from "../../domain/suite.ts";
import type { QuerySummary } from "../../domain/triggers.ts";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import type { Answer, Judge, Question } from "../../grade/judge.ts";
import { rateOf } from "../../stats/rate.ts";
import { type Random, seededRandom } from "../../stats/random.ts";
import { splitQueries } from "../../triggers/split.ts";
import { aCase } from "../../../test/support/cases.ts";
import { bestAttempt } from "./attempt.ts";
import { isImproved } from "./fresh.ts";
import { loopFile } from "./loop-file.ts";
import {
  type OptimiseInput,
  type OptimiseParts,
  optimiseDescription,
  type Probed,
  type Progress,
} from "./optimise.ts";

const NEVER = new AbortController().signal;

function query(index: number, expected: boolean): Case {
  return aCase({
    id: `q${index}`,
    kind: "trigger",
    prompt: { kind: "turns", turns: [`${expected ? "wanted" : "other"} query ${index}`] },
    checks: [
      {
        id: "fires",
        layer: "trigger",
        text: "fires",
        appliesTo: "every-variant",
        origin: null,
        kind: "fires",
        expected,
        skill: null,
        forbidden: [],
      },
    ],
  });
}

function queriesOf(count: number): Case[] {
  return Array.from({ length: count }, (_, index) => query(index, index % 2 === 0));
}

function summaryOf(one: Case, fired: number, runs: number): QuerySummary {
  const shouldTrigger = one.checks.some((check) => check.kind === "fires" && check.expected);
  const passed = fired / runs >= 0.5 === shouldTrigger;
  return {
    caseId: one.id,
    query: one.prompt.kind === "turns" ? one.prompt.turns.join() : "",
    shouldTrigger,
    rival: null,
    fired: rateOf(fired, runs),
    leftOut: {},
    others: {},
    repeated: { fired, runs },
    status: runs === 0 ? "unscored" : "unsettled",
    leaning: runs === 0 ? null : passed ? "passed" : "failed",
    moreRuns: null,
    reason: "",
  };
}

/** Answers each question with the next description; tells what it was asked. */
function proposer(descriptions: readonly string[]): Judge & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    name: "memory",
    model: "none",
    asked,
    async ask<T>(question: Question<T>): Promise<Answer<T>> {
      const description = descriptions[asked.length];
      asked.push(question.parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n"));
      if (description === undefined)
        return { status: "unanswered", reason: "out of words", usage: UNKNOWN_USAGE, calls: 1 };
      return {
        status: "answered",
        value: { description } as T,
        usage: UNKNOWN_USAGE,
        cached: false,
        calls: 1,
      };
    },
  };
}

interface Setup {
  readonly count?: number;
  readonly proposals: readonly string[];
  /** In how many of three runs the query fires with the description. */
  readonly fires: (description: string, one: Case) => number;
  readonly rounds?: number;
  readonly remembered?: readonly string[];
  readonly stop?: (description: string, part: "learn" | "test") => Probed | null;
}

async function optimise({ count = 20, proposals, fires, rounds = 5, remembered = [], stop }: Setup) {
  const cases = queriesOf(count);
  const split = splitQueries(cases, { seed: 1, shares: { validation: 0.3, test: 0.3 } });
  const judge = proposer(proposals);
  const probes: string[] = [];
  const kept: Progress[] = [];
  const parts: OptimiseParts = {
    judge,
    async probe(description, part) {
      const stopped = stop?.(description, part) ?? null;
      if (stopped !== null) return stopped;
      probes.push(`${part} ${description}`);
      const asked = part === "test" ? split.test : [...split.train, ...split.validation];
      return { status: "probed", queries: asked.map((one) => summaryOf(one, fires(description, one), 3)) };
    },
    keep: async (progress) => void kept.push({ ...progress, attempts: [...progress.attempts] }),
  };
  const input: OptimiseInput = {
    skillName: "greeter",
    skillText: "Say hello.",
    original: "old",
    split,
    rounds,
    remembered,
  };
  return { progress: await optimiseDescription(input, parts, NEVER), split, judge, probes, kept };
}

const isWanted = (one: Case) => one.checks.some((check) => check.kind === "fires" && check.expected);
const right = (one: Case) => (isWanted(one) ? 3 : 0);

describe("description optimisation", () => {
  it("chooses by validation and reports a clear gain on queries nobody chose by", async () => {
    const { progress, probes, split } = await optimise({
      count: 20,
      proposals: ["new"],
      fires: (description, one) => (description === "new" ? right(one) : 0),
    });
    expect(progress.exit).toEqual({ kind: "all-passed" });
    expect(progress.best?.description).toBe("new");
    expect(isImproved(progress.fresh)).toBe(true);
    expect(probes).toEqual(["learn old", "learn new", "test old", "test new"]);
    const file = loopFile(progress, { split, rounds: 5, seed: 1 });
    expect(file).toMatchObject({
      exit_reason: "all_passed (iteration 2)",
      original_description: "old",
      best_description: "new",
      final_description: "new",
      best_score: `${split.validation.length}/${split.validation.length}`,
      best_train_score: `${split.train.length}/${split.train.length}`,
      iterations_run: 2,
      train_size: split.train.length,
      test_size: split.validation.length,
      improved: true,
      fresh_test: { size: split.test.length, verdict: "better", best: { rate: 1 } },
    });
    expect(Object.keys((file["history"] as object[])[0] ?? {})).toEqual([
      "iteration",
      "description",
      "train_passed",
      "train_failed",
      "train_total",
      "train_results",
      "test_passed",
      "test_failed",
      "test_total",
      "test_results",
      "passed",
      "failed",
      "total",
      "results",
    ]);
  });

  it("learns from train alone, with every attempt before", async () => {
    const { judge, split } = await optimise({ proposals: ["second", "third"], fires: () => 0, rounds: 3 });
    const told = judge.asked.at(-1) ?? "";
    expect(told).toContain("description 1: old");
    expect(told).toContain("description 2: second");
    for (const one of split.train.filter(isWanted)) expect(told).toContain(`wanted query ${one.id.slice(1)}`);
    for (const one of [...split.validation, ...split.test])
      expect(told).not.toMatch(new RegExp(`query ${one.id.slice(1)}\\b`));
  });

  it("stops at once when train has nothing left to learn from", async () => {
    const { progress, judge } = await optimise({ proposals: [], fires: (_, one) => right(one) });
    expect(judge.asked).toEqual([]);
    expect(progress).toMatchObject({ exit: { kind: "all-passed" }, best: { description: "old" } });
    expect(isImproved(progress.fresh)).toBe(false);
  });

  it("does not ask again for what was proposed before an interruption", async () => {
    const setup: Setup = { proposals: ["second", "third"], fires: () => 0, rounds: 3 };
    const whole = await optimise(setup);
    for (const done of [0, 1, 2]) {
      const remembered = ["second", "third"].slice(0, done);
      const again = await optimise({ ...setup, proposals: ["second", "third"].slice(done), remembered });
      expect(again.judge.asked).toHaveLength(2 - done);
      expect(again.progress.attempts).toEqual(whole.progress.attempts);
      expect(again.progress.fresh).toEqual(whole.progress.fresh);
    }
  });

  it.each(["learn", "test"] as const)(
    "ends where %s cannot be asked, and keeps what it has",
    async (part) => {
      const stopped: Probed = { status: "stopped", why: "budget", message: "spent" };
      const { progress, kept } = await optimise({
        proposals: ["second"],
        fires: () => 0,
        rounds: 2,
        stop: (description, asked) =>
          (description === "second" || part === "test") && asked === part ? stopped : null,
      });
      expect(progress.exit).toEqual({ kind: "stopped", why: "budget", message: "spent" });
      expect(progress.fresh).toBeNull();
      expect(kept.at(-1)?.attempts.map(({ description }) => description)).toEqual(
        part === "learn" ? ["old"] : ["old", "second"],
      );
    },
  );

  it("reports on what it has when no description comes", async () => {
    const { progress } = await optimise({ proposals: [], fires: () => 0 });
    expect(progress.exit).toEqual({ kind: "unanswered", message: "out of words" });
    expect(progress.fresh).not.toBeNull();
  });

  it("does not report an improvement for the best of five identical descriptions", async () => {
    let reported = 0;
    let chosen = 0;
    const random: Random = seededRandom(7);
    const rolls = 300;
    for (let roll = 0; roll < rolls; roll++) {
      const { progress } = await optimise({
        proposals: ["b", "c", "d", "e"],
        fires: (_, one) => [0, 1, 2].filter(() => random() < (isWanted(one) ? 0.6 : 0.4)).length,
      });
      if (progress.best?.description !== "old") chosen++;
      if (isImproved(progress.fresh)) reported++;
    }
    expect(chosen / rolls).toBeGreaterThan(0.4);
    expect(reported / rolls).toBeLessThanOrEqual(0.05);
  });
});

describe("the best attempt", () => {
  const attempt = (description: string, passed: number) => ({
    description,
    train: [],
    validation: queriesOf(4).map((one, index) =>
      summaryOf(one, index < passed ? right(one) : 3 - right(one), 3),
    ),
  });

  it.each([
    [[attempt("original, long", 2), attempt("new", 2)], "original, long"],
    [[attempt("o", 1), attempt("longer one", 3), attempt("short", 3), attempt("x", 2)], "short"],
    [[attempt("o", 1), attempt("worse", 0)], "o"],
    [[attempt("o", 0), attempt("aaa", 3), attempt("bbb", 3)], "aaa"],
  ] as const)("of %# is %s", (attempts, expected) => {
    const [first, ...others] = attempts;
    expect(bestAttempt([first, ...others]).description).toBe(expected);
  });
});
