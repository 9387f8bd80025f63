import { describe, expect, it } from "vitest";
import type { Change } from "../domain/change.ts";
import type { Plan } from "../domain/plan.ts";
import { NOTHING_DONE, type Run, UNKNOWN_USAGE } from "../domain/run.ts";
import type { Trial } from "../domain/trial.ts";
import type { RunAgain } from "../iteration/resuming.ts";
import type { ConsentQuestion, Machine } from "../machine.ts";
import { thisMachine } from "../this-machine.ts";
import { agreeToRepeat, groupsOf } from "./repeated-runs.ts";

const BODY: Change = { kind: "skill", part: "body", path: "SKILL.md" };
const PROMPT: Change = { kind: "case", caseId: "1", file: "/project/evals.json", part: "prompt" };

function plan(parts: Partial<Plan> = {}): Plan {
  const estimate = { runs: 4, costUsd: 2 } as Plan["estimate"];
  const trials = ["a", "b", "c", "d"].map((id) => again(id, [], null).trial);
  return { suite: { name: "greeter" }, harness: "claude-code", trials, estimate, ...parts } as Plan;
}

function again(id: string, changes: readonly Change[], costUsd: number | null): RunAgain {
  const trial: Trial = { id, key: id, caseId: id, variant: "with_skill", repetition: 1 };
  const run: Run = {
    ...NOTHING_DONE,
    trialId: id,
    outcome: { status: "completed" },
    validity: { status: "verified" },
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 1,
    client: { name: "claude", version: null },
    conditions: { sandbox: "none", staging: "copy", loadAverage: 0, freeMemoryBytes: 0 },
    usage: { ...UNKNOWN_USAGE, costUsd },
  };
  return { trial, changes, earlier: { trial, run } as RunAgain["earlier"] };
}

describe("runs that would be made again", () => {
  it("are told by what changed for them, with what such runs have cost", () => {
    const groups = groupsOf(
      plan({ costs: { a: 0.1, b: 0.5, c: 0.2, d: 0.9 } }),
      [again("a", [BODY], 0.1), again("b", [PROMPT], 0.5), again("c", [BODY], 0.2)],
      "/project",
    );
    expect(groups.map(({ trials }) => trials)).toEqual([2, 1]);
    expect(groups[0]?.costUsd).toBeCloseTo(0.3);
    expect(groups[1]?.costUsd).toBe(0.5);
  });

  it("cost about their share of the estimate where it does not say what each takes", () => {
    const [group] = groupsOf(plan(), [again("a", [BODY], 0.1), again("b", [BODY], null)], "/project");
    expect(group?.costUsd).toBe(1);
  });

  it("have no known cost where nothing can be estimated: unknown is not free", () => {
    const unknown = plan({ estimate: { runs: 4, costUsd: null } as Plan["estimate"] });
    expect(groupsOf(unknown, [again("a", [BODY], null)], "/project")[0]?.costUsd).toBeNull();
  });
});

describe("repeating paid runs", () => {
  const asked: ConsentQuestion[] = [];
  const somebody = (answer: boolean | null): Machine => ({
    ...thisMachine(),
    consent: async (question) => {
      asked.push(question);
      return answer;
    },
  });
  const repeat = (one: Plan, answer: boolean | null, options = { yes: false, replay: false }) => {
    asked.length = 0;
    const groups = groupsOf({ ...one, costs: { a: 0.1 } }, [again("a", [BODY], 0.1)], "/project");
    return agreeToRepeat([{ plan: one, groups }], { options, machine: somebody(answer) });
  };

  it("waits for somebody to agree, who is shown all of it", async () => {
    await repeat(plan(), true);
    expect(asked).toMatchObject([
      { kind: "repeat-runs", repeated: [{ suite: "greeter", trials: 1, costUsd: 0.1 }] },
    ]);
  });

  it.each([
    ["nobody is there", null, /nobody has approved that: greeter: .*1 trial.*\$0\.10/],
    ["it is refused", false, /was refused, so nothing was run/],
  ])("is not done where %s", async (_, answer, message) => {
    await expect(repeat(plan(), answer)).rejects.toMatchObject({
      code: "run/repeats-paid-runs",
      message: expect.stringMatching(message),
      hint: expect.stringContaining("--retry-errors"),
    });
  });

  it.each<[string, Plan, { yes: boolean; replay: boolean }]>([
    ["the caller agreed beforehand", plan(), { yes: true, replay: false }],
    ["models are played back", plan(), { yes: false, replay: true }],
    ["the agent costs nothing", plan({ harness: "scripted" }), { yes: false, replay: false }],
  ])("asks nobody where %s", async (_, one, options) => {
    await repeat(one, false, options);
    expect(asked).toEqual([]);
  });
});
