import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import type { Check } from "../domain/check.ts";
import type { Outcome } from "../domain/run.ts";
import { UNKNOWN_USAGE } from "../domain/run.ts";
import type { Variant } from "../domain/trial.ts";
import type { Verdict } from "../domain/verdict.ts";
import { passed, toVerdict } from "./decision.ts";
import { makeCheck, makeSubject, newFolder, type SubjectParts } from "./fixtures/make-subject.ts";
import { gradeRun } from "./grade.ts";
import type { Graded, Grader } from "./grader.ts";

const contains = makeCheck({ kind: "contains", needle: "a", ignoreCase: false }, "text");
const criterion = makeCheck({ kind: "criterion" }, "judged");
const loaded = makeCheck({ kind: "skill_loaded", skill: null }, "loaded", { appliesTo: "with-skill" });

const signal = new AbortController().signal;
const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** Passes what it decides, and notes what it was asked. */
function scripted(
  kinds: readonly Check["kind"][],
  options: { needs?: Grader["needs"]; log?: string[]; extra?: Omit<Graded, "verdicts">; broken?: Error } = {},
): Grader {
  const { needs = "code", log = [], extra = {}, broken } = options;
  return {
    name: kinds.join("+"),
    needs,
    decides: (check): check is Check => kinds.includes(check.kind),
    async grade(checks, subject) {
      log.push(...checks.map((check) => check.id));
      if (broken !== undefined) throw broken;
      const decision = passed("seen", [{ kind: "measure", text: "1" }]);
      return { verdicts: checks.map((check) => toVerdict(check, subject, decision)), ...extra };
    },
  };
}

function clock(): () => Date {
  let ms = Date.UTC(2026, 0, 1);
  return () => new Date((ms += 250));
}

function grade(parts: SubjectParts, graders: readonly Grader[]) {
  return gradeRun(makeSubject(parts, folder), { graders, now: clock() }, signal);
}

const statuses = (verdicts: readonly Verdict[]) =>
  verdicts.map(({ checkId, status }) => `${checkId} ${status}`);

describe("gradeRun", () => {
  it("gives each check to the first grader that decides it, cheapest first, and keeps the order of the checks", async () => {
    const log: string[] = [];
    const checks = [criterion, contains, loaded];
    const grading = await grade({ checks }, [
      scripted(["criterion"], { needs: "model", log }),
      scripted(["skill_loaded"], { needs: "network", log }),
      scripted(["contains"], { log }),
      scripted(["contains", "criterion"], { log }),
    ]);
    expect(log).toEqual(["text", "loaded", "judged"]);
    expect(statuses(grading.verdicts)).toEqual(["judged passed", "text passed", "loaded passed"]);
    expect(grading.durationMs).toBeGreaterThanOrEqual(0);
    expect(grading).toMatchObject({
      trialId: "case/with_skill/run-1",
      startedAt: "2026-01-01T00:00:00.250Z",
      judgeModel: null,
      evalFeedback: null,
      usage: UNKNOWN_USAGE,
    });
  });

  it("asks the model graders at the same time", async () => {
    let waiting = 0;
    let meet = () => {};
    const both = new Promise<void>((resolve) => (meet = resolve));
    const meeting = (kind: Check["kind"]): Grader => ({
      ...scripted([kind], { needs: "model" }),
      async grade() {
        if (++waiting === 2) meet();
        await both;
        return { verdicts: [] };
      },
    });
    const grading = await grade({ checks: [criterion, contains] }, [
      meeting("criterion"),
      meeting("contains"),
    ]);
    expect(statuses(grading.verdicts)).toEqual(["judged unscored", "text unscored"]);
  });

  it.each<[Outcome, string]>([
    [{ status: "timed-out", afterMs: 61_040 }, "timed out after 61 s"],
    [
      { status: "interactive", cause: "question", message: "Which one?" },
      "stopped to ask a question: Which one?",
    ],
    [
      { status: "interactive", cause: "background-task", message: "still going" },
      "ended while a background task was still running: still going",
    ],
    [{ status: "max-turns", message: "10" }, "used up its turns: 10"],
    [{ status: "crashed", message: "exit 1" }, "crashed: exit 1"],
  ])(
    "fails every check of a run that is %j, with that as evidence, and asks no grader",
    async (outcome, text) => {
      const log: string[] = [];
      const { verdicts } = await grade({ checks: [contains, criterion], run: { outcome } }, [
        scripted(["contains", "criterion"], { log }),
      ]);
      expect(log).toEqual([]);
      expect(statuses(verdicts)).toEqual(["text failed", "judged failed"]);
      for (const verdict of verdicts) {
        expect(verdict.evidence).toEqual([{ kind: "outcome", text }]);
        expect(verdict.reason).toBe(`the run ${text}`);
      }
    },
  );

  it.each([
    "auth",
    "rate-limit",
    "api",
    "network",
    "budget",
    "setup-skipped",
    "invalid",
    "interrupted",
  ] as const)("does not grade a run left out for %s", async (status) => {
    const log: string[] = [];
    const run = { outcome: leftOut(status, "no") };
    const grading = await grade({ checks: [contains], run }, [scripted(["contains"], { log })]);
    expect(grading.verdicts).toEqual([]);
    expect(log).toEqual([]);
  });

  it.each<[Variant, readonly string[]]>([
    ["with_skill", ["text passed", "loaded passed"]],
    ["old_skill", ["text passed", "loaded passed"]],
    ["new_skill", ["text passed", "loaded passed"]],
    ["without_skill", ["text passed"]],
    ["inline", ["text passed"]],
  ])("holds the checks that apply against %s", async (variant, expected) => {
    const checks = [contains, loaded];
    const { verdicts } = await grade({ checks, variant }, [scripted(["contains", "skill_loaded"])]);
    expect(statuses(verdicts)).toEqual(expected);
  });

  it("leaves the checks of a broken grader unscored, and only those", async () => {
    const { verdicts } = await grade({ checks: [contains, criterion] }, [
      scripted(["contains"]),
      scripted(["criterion"], { broken: new Error("no such model") }),
    ]);
    expect(statuses(verdicts)).toEqual(["text passed", "judged unscored"]);
    expect(verdicts[1]?.reason).toContain("no such model");
  });

  it("says so when nothing decides a check", async () => {
    const { verdicts } = await grade({ checks: [criterion] }, [scripted(["contains"])]);
    expect(verdicts).toMatchObject([
      { status: "unscored", reason: "no grader here decides checks of the kind criterion" },
    ]);
  });

  it("does not count a verdict that shows no evidence", async () => {
    const silent: Grader = {
      ...scripted(["contains"]),
      async grade([check], subject) {
        return { verdicts: check === undefined ? [] : [toVerdict(check, subject, passed("trust me", []))] };
      },
    };
    const { verdicts } = await grade({ checks: [contains] }, [silent]);
    expect(verdicts).toMatchObject([
      { status: "unscored", reason: expect.stringContaining("trust me") as string },
    ]);
  });

  it("keeps all verdicts of one check and joins what the judges said and used", async () => {
    const claim = { claim: "12 fields", type: "factual", verified: true, evidence: "counted" } as const;
    const feedback = (reason: string) => ({ suggestions: [{ assertion: null, reason }], overall: reason });
    const usage = (inputTokens: number) => ({ ...UNKNOWN_USAGE, inputTokens });
    const many: Grader = {
      ...scripted(["criterion"], { needs: "model" }),
      async grade([check], subject) {
        const one = (entry: number): Verdict => ({
          ...toVerdict(check ?? criterion, subject, passed("x", [{ kind: "measure", text: "1" }])),
          entry,
        });
        return { verdicts: [one(0), one(1)], evalFeedback: feedback("b"), usage: usage(3), judgeModel: "m" };
      },
    };
    const grading = await grade({ checks: [criterion, contains] }, [
      scripted(["contains"], { extra: { claims: [claim], evalFeedback: feedback("a"), usage: usage(4) } }),
      many,
    ]);
    expect(grading.verdicts.map((verdict) => verdict.entry)).toEqual([0, 1, null]);
    expect(grading.claims).toEqual([claim]);
    expect(grading.evalFeedback).toEqual({
      suggestions: [
        { assertion: null, reason: "a" },
        { assertion: null, reason: "b" },
      ],
      overall: "a\nb",
    });
    expect(grading.usage.inputTokens).toBe(7);
    expect(grading.judgeModel).toBe("m");
  });

  it("leaves unscored what nobody kept of a run, and decides the rest", async () => {
    const checks = [
      contains,
      makeCheck({ kind: "tool_not_called", tool: "Bash", arguments: null }, "tool"),
      makeCheck({ kind: "file_absent", path: "x" }, "file"),
    ];
    const kinds = checks.map((check) => check.kind);
    const made = makeSubject({ checks }, folder);
    for (const [unkept, expected] of [
      [["files"], ["text passed", "tool passed", "file unscored"]],
      [["transcript"], ["text passed", "tool unscored", "file passed"]],
    ] as const) {
      const subject = { ...made, run: { ...made.run, unkept } };
      const { verdicts } = await gradeRun(subject, { graders: [scripted(kinds)], now: clock() }, signal);
      expect(statuses(verdicts)).toEqual(expected);
    }
  });

  it("leaves unscored what a captured output alone cannot show", async () => {
    const log: string[] = [];
    const checks = [
      contains,
      makeCheck({ kind: "tool_not_called", tool: "Bash", arguments: null }, "tool"),
      makeCheck({ kind: "file_absent", path: "x" }, "file"),
      makeCheck({ kind: "max_turns", limit: 5 }, "limit"),
      criterion,
    ];
    const kinds = checks.map((check) => check.kind);
    const subject = { ...makeSubject({ checks }, folder), only: "output" as const };
    const { verdicts } = await gradeRun(
      subject,
      { graders: [scripted(kinds, { log })], now: clock() },
      signal,
    );
    expect(log).toEqual(["text", "judged"]);
    expect(statuses(verdicts)).toEqual([
      "text passed",
      "tool unscored",
      "file unscored",
      "limit unscored",
      "judged passed",
    ]);
  });

  it("rejects when it is stopped, also while a grader works", async () => {
    const controller = new AbortController();
    const stopping: Grader = {
      ...scripted(["contains"]),
      async grade() {
        controller.abort(new Error("stopped by hand"));
        throw new Error("something else");
      },
    };
    const subject = makeSubject({ checks: [contains] }, folder);
    const grading = gradeRun(subject, { graders: [stopping], now: clock() }, controller.signal);
    await expect(grading).rejects.toThrow("stopped by hand");
  });
});
