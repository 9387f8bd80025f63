import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Check } from "../../src/domain/check.ts";
import type { Verdict } from "../../src/domain/verdict.ts";
import { passed, measure, toVerdict } from "../../src/toolbox.ts";
import type { Subject } from "../../src/grade/subject.ts";
import { type Evaluation, evaluate } from "../../src/index.ts";
import { caller, configured, SCRIPTED } from "../support/library-caller.ts";
import { GOOD_REPLIES, greeterProject } from "../support/project.ts";
import type { TempTree } from "../support/temp-tree.ts";

const hang = () => new Promise<never>(() => {});
const JUDGED = JSON.stringify({
  skill_name: "greeter",
  evals: [{ id: 1, prompt: "Greet Ada", expectations: ["It is polite"] }],
});

function verdictsOf({ reports }: Pick<Evaluation, "reports">): readonly Verdict[] {
  return reports.flatMap(({ evaluated }) =>
    [...evaluated.gradings.values()].flatMap(({ verdicts }) => verdicts),
  );
}

function expectNoLock(project: TempTree): void {
  expect(existsSync(project.path(".assay/greeter/iteration-1/summary.json"))).toBe(true);
  expect(existsSync(project.path(".assay/greeter/iteration-1/runner.lock"))).toBe(false);
}

describe("a grader of one's own", () => {
  const graders = (changes: object) => {
    const grader = {
      name: "mine",
      needs: "code",
      decides: (check: Check) => check.kind === "contains",
      grade: async (checks: readonly Check[], subject: Subject) => ({
        verdicts: checks.map((check) => toVerdict(check, subject, passed("fine", [measure("1")]))),
      }),
      ...changes,
    };
    return configured({ graders: [{ name: "mine", help: "", create: () => grader as never }] });
  };

  it("decides what it says it does", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const verdicts = verdictsOf(await evaluate(SCRIPTED, { ...caller(project), config: graders({}) }));
    expect(verdicts.map(({ reason }) => reason)).toContain("fine");
  });

  it.each<[string, object, RegExp]>([
    ["changes a check", { decides: (check: { text: string }) => void (check.text = "HACKED") }, /read only/],
    [
      "changes the case",
      { grade: async (_: unknown, { case: one }: { case: { checks: unknown[] } }) => void one.checks.pop() },
      /not extensible|delete|read only/,
    ],
    [
      "answers with a promise whether it decides",
      { decides: async () => true },
      /decides must return true or false/,
    ],
    [
      "answers verdicts that are none",
      { grade: async () => ({ verdicts: [5] }) },
      /verdicts\[0\] must be an object/,
    ],
    [
      "decides a check it was not asked about",
      {
        grade: async ([check]: Check[], subject: Subject) => ({
          verdicts: [{ ...toVerdict(check!, subject, passed("x", [measure("1")])), checkId: "other" }],
        }),
      },
      /not asked about: "other"/,
    ],
  ])("leaves its checks unscored and the files as they are where it %s", async (_, changes, reason) => {
    await using project = await greeterProject(GOOD_REPLIES);
    const ended = await evaluate(SCRIPTED, { ...caller(project), config: graders(changes) });
    expect(ended.failures).toEqual([]);
    const unscored = verdictsOf(ended).filter(({ status }) => status === "unscored");
    expect(unscored.length).toBeGreaterThan(0);
    for (const verdict of unscored) expect(verdict.reason).toMatch(reason);
    const summary = await readFile(project.path(".assay/greeter/iteration-1/journal.jsonl"), "utf8");
    expect(summary).not.toContain("HACKED");
  });

  it.each<[string, object]>([
    ["has no verbs", { grade: 5 }],
    ["needs something unknown", { needs: "magic" }],
  ])("is refused before anything begins where it %s", async (_, changes) => {
    await using project = await greeterProject(GOOD_REPLIES);
    await expect(evaluate(SCRIPTED, { ...caller(project), config: graders(changes) })).rejects.toMatchObject({
      code: "config/plugin-failed",
    });
    expect(existsSync(project.path(".assay/greeter"))).toBe(false);
  });

  it("is given up when the call is stopped", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const stop = new AbortController();
    const grade = () => {
      stop.abort();
      return hang();
    };
    const door = { ...caller(project), config: graders({ grade }), signal: stop.signal };
    expect(await evaluate(SCRIPTED, door)).toMatchObject({ ended: "interrupted" });
    expectNoLock(project);
  });
});

describe("a judge of one's own", () => {
  const judges = (ask: unknown, changes: object = {}) =>
    configured({
      judges: [
        { name: "mine", help: "", create: () => ({ name: "mine", model: "m", ask, ...changes }) as never },
      ],
    });
  const options = { ...SCRIPTED, gradingProvider: "mine" };

  it.each<[string, unknown, RegExp]>([
    ["answers null", async () => null, /the judge mine failed: what ask returned must be an object/],
    [
      "answers what was not asked",
      async () => ({ status: "answered", value: 5, usage: {}, calls: 1 }),
      /the judge mine failed: its value must be an object/,
    ],
    [
      "changes the question",
      async (question: { system: string }) => (question.system = "say yes"),
      /read only/,
    ],
  ])("leaves the criteria unscored where it %s", async (_, ask, reason) => {
    await using project = await greeterProject(GOOD_REPLIES, { "skills/greeter/evals/evals.json": JUDGED });
    const ended = await evaluate(options, { ...caller(project), config: judges(ask) });
    expect(verdictsOf(ended)).toMatchObject([{ status: "unscored", reason: expect.stringMatching(reason) }]);
  });

  it("is refused before anything begins where it is none", async () => {
    await using project = await greeterProject(GOOD_REPLIES, { "skills/greeter/evals/evals.json": JUDGED });
    await expect(evaluate(options, { ...caller(project), config: judges(5) })).rejects.toMatchObject({
      code: "config/plugin-failed",
      message: expect.stringContaining("it has no function ask"),
    });
    expect(existsSync(project.path(".assay/greeter"))).toBe(false);
  });

  it("is given up when the call is stopped", async () => {
    await using project = await greeterProject(GOOD_REPLIES, { "skills/greeter/evals/evals.json": JUDGED });
    const stop = new AbortController();
    const ask = () => {
      stop.abort();
      return hang();
    };
    const door = { ...caller(project), config: judges(ask), signal: stop.signal };
    expect(await evaluate(options, door)).toMatchObject({ ended: "interrupted" });
    expectNoLock(project);
  });
});

it(
  "gives a reporter up that does not finish, soon after the call was stopped",
  { timeout: 20_000 },
  async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const stop = new AbortController();
    const finish = () => {
      stop.abort();
      return hang();
    };
    const told: string[] = [];
    const other = { name: "other", finish: () => void told.push("finished") };
    const door = { ...caller(project), signal: stop.signal, reporters: [{ name: "mine", finish }, other] };
    const { reports } = await evaluate(SCRIPTED, door);
    expect(reports.map(({ summary }) => summary.verdict)).toEqual(["passed"]);
    expect(door.notes).toContainEqual(
      expect.stringMatching(/the mine reporter failed and is left out: it gave no answer/),
    );
    expect(told).toEqual(["finished"]);
    expectNoLock(project);
  },
);
