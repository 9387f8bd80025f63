import { readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Check } from "../../src/domain/check.ts";
import type { Verdict } from "../../src/domain/verdict.ts";
import type { Grader } from "../../src/grade/grader.ts";
import type { Subject } from "../../src/grade/subject.ts";
import type { Machine, Note } from "../../src/machine.ts";
import { calibrate } from "../../src/operations/calibrate.ts";
import { capture } from "../../src/operations/capture.ts";
import { NO_CONFIG } from "../../src/operations/config.ts";
import { controls } from "../../src/operations/controls.ts";
import { evaluate } from "../../src/operations/evaluate.ts";
import { explain } from "../../src/operations/explain.ts";
import { gradeAgain } from "../../src/operations/grade-again.ts";
import { gradeText } from "../../src/operations/grade-text.ts";
import { show } from "../../src/operations/show.ts";
import { GOOD_REPLIES, greeterProject, journal } from "../support/project.ts";
import type { TempTree } from "../support/temp-tree.ts";

interface Caller {
  readonly machine: Machine;
  readonly notes: Note[];
}

/** A program that calls operations, and has no terminal. */
function callerIn({ root }: TempTree): Caller {
  const notes: Note[] = [];
  const env = { PATH: process.env["PATH"] };
  const note = (one: Note) => void notes.push(one);
  const machine = {
    env,
    cwd: root,
    home: "/nonexistent",
    now: () => new Date(),
    note,
    consent: async () => null,
  };
  return { machine, notes };
}

const SCRIPTED = { harnesses: ["scripted"], script: "script.json" } as const;

async function evaluated(replies: Parameters<typeof greeterProject>[0] = GOOD_REPLIES) {
  const project = await greeterProject(replies);
  const caller = callerIn(project);
  await evaluate({ targets: ["skills/greeter"], ...SCRIPTED }, caller);
  return { ...caller, project, [Symbol.asyncDispose]: () => project[Symbol.asyncDispose]() };
}

const NEW_CHECK = JSON.stringify({
  skill_name: "greeter",
  evals: [
    {
      id: 1,
      prompt: "Greet Ada",
      assay: { checks: [{ type: "contains", id: "farewell", needle: "Goodbye" }] },
    },
    { id: 2, prompt: "Greet Bob", assay: { checks: [{ type: "file_exists", id: "file", path: "bob.txt" }] } },
  ],
});

function neverGoodEnough({ id, layer, text }: Check, { trial }: Subject): Verdict {
  const evidence = [{ kind: "measure", text: "0 of 10" }] as const;
  const about = { trialId: trial.id, checkId: id, layer, text, entry: null };
  return { ...about, status: "failed", reason: "never good enough", evidence, score: null };
}

describe("a program that grades an iteration again", () => {
  it("gets the new report, and its reporters hear of it", async () => {
    await using ran = await evaluated();
    await writeFile(ran.project.path("skills/greeter/evals/evals.json"), NEW_CHECK);
    const heard: string[] = [];
    const reporters = [{ name: "ears", event: ({ kind }: { kind: string }) => void heard.push(kind) }];
    const graded = await gradeAgain({ iteration: "greeter" }, { machine: ran.machine, reporters });
    if (graded.kind !== "kept") throw new Error("it was kept nowhere");
    expect(graded.evaluation.reports.map(({ summary }) => summary.verdict)).toEqual(["failed"]);
    expect(heard.filter((kind) => kind === "verdicts-recorded")).toHaveLength(2);
    expect(ran.notes).toEqual([]);
  });

  it("tries single checks without leaving a trace", async () => {
    await using ran = await evaluated();
    await writeFile(ran.project.path("skills/greeter/evals/evals.json"), NEW_CHECK);
    const before = await journal(ran.project.root);
    const graded = await gradeAgain({ only: ["farewell"] }, ran);
    expect(graded).toMatchObject({
      kind: "tried",
      gradings: {
        verdict: "failed",
        runs: [{ caseId: "1", meetsGate: false, grading: { verdicts: [{ checkId: "farewell" }] } }],
      },
    });
    expect(await journal(ran.project.root)).toEqual(before);
  });

  it("can bring its own graders", async () => {
    await using ran = await evaluated();
    const strict: Grader = {
      name: "strict",
      needs: "code",
      decides: (check): check is Check => check.kind === "contains",
      grade: async (checks, subject) => ({
        verdicts: checks.map((check) => neverGoodEnough(check, subject)),
      }),
    };
    const plugins = { ...NO_CONFIG.plugins, graders: [{ name: "strict", help: "", create: () => strict }] };
    const graded = await gradeAgain({ only: ["Ada"] }, { ...ran, config: { ...NO_CONFIG, plugins } });
    expect(graded).toMatchObject({
      gradings: { runs: [{ grading: { verdicts: [{ reason: "never good enough" }] } }] },
    });
  });

  it.each<[object, string]>([
    [{ concurrency: 0 }, "option concurrency: 0 is invalid. It must be a whole number of at least 1."],
    [
      { minPassRate: 2 },
      "option minPassRate: 2 is invalid. It must be a number between 0 and 1; 0.2 is 20 %.",
    ],
    [{ onyl: ["x"] }, 'there is no option "onyl"'],
  ])("is refused %j as on the command line", async (options, message) => {
    await using project = await greeterProject([]);
    await expect(gradeAgain(options, callerIn(project))).rejects.toThrow(message);
  });
});

describe("a program that has a text graded", () => {
  it("gets verdicts and what they amount to", async () => {
    await using project = await greeterProject([], { "answer.txt": "Hello Ada" });
    const options = { output: "answer.txt", skill: "skills/greeter", cases: ["1"] };
    expect(await gradeText(options, callerIn(project))).toMatchObject({
      verdict: "passed",
      ignoredInputs: [],
      runs: [{ name: "1 on answer.txt", caseId: "1", meetsGate: true }],
    });
  });

  it("is told what it left out", async () => {
    await using project = await greeterProject([]);
    await expect(gradeText({ skill: "skills/greeter" }, callerIn(project))).rejects.toThrow(
      /which text should be graded/,
    );
    await expect(calibrate({}, callerIn(project))).rejects.toThrow(/which labels/);
    await expect(capture({}, callerIn(project))).rejects.toThrow(/which skill should run/);
    await expect(show({}, callerIn(project))).rejects.toThrow(/which run should be shown/);
    await expect(explain({}, callerIn(project))).rejects.toThrow(/which run should be explained/);
  });
});

describe("a program that captures", () => {
  it("gets the path of what was kept, or why nothing was", async () => {
    await using project = await greeterProject([
      { when: { prompt: "Ada" }, steps: [{ text: "Hello Ada" }] },
      { steps: [{ exit: 3 }] },
    ]);
    const caller = callerIn(project);
    const kept = await capture({ skill: "skills/greeter", args: ["Ada"], ...SCRIPTED }, caller);
    if (kept.status !== "kept") throw new Error("nothing was kept");
    expect(await readFile(kept.output, "utf8")).toBe("Hello Ada");
    expect(JSON.parse(await readFile(kept.about, "utf8"))).toMatchObject({ args: ["Ada"] });
    const failed = await capture(
      { skill: "skills/greeter", args: ["Bob"], out: "b.txt", ...SCRIPTED },
      caller,
    );
    expect(failed).toMatchObject({ status: "nothing-kept", outcome: { status: "crashed" } });
    expect(await readdir(project.root)).not.toContain("b.txt");
  });
});

describe("a program that changes its mind", () => {
  it.each([
    [
      "capture",
      (caller: Caller, signal: AbortSignal) =>
        capture({ skill: "skills/greeter", ...SCRIPTED }, { ...caller, signal }),
    ],
    [
      "controls",
      (caller: Caller, signal: AbortSignal) =>
        controls({ targets: ["skills/greeter"] }, { ...caller, signal }),
    ],
  ])("hears its own reason from %s, and nothing is kept", async (_, call) => {
    await using project = await greeterProject(GOOD_REPLIES);
    const reason = new Error("not today");
    await expect(call(callerIn(project), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await readdir(project.root)).not.toContain(".assay");
  });
});

describe("a program that asks about a run", () => {
  it("gets it as data, and no explanation where nothing failed", async () => {
    await using ran = await evaluated();
    const shown = await show({ run: "1" }, ran);
    expect(shown).toMatchObject({
      answer: "Hello Ada",
      prompt: "Greet Ada",
      iteration: { suite: "greeter", number: 1 },
      grading: { verdicts: [{ status: "passed" }] },
    });
    expect(await explain({ run: shown.folder }, ran)).toEqual({ status: "nothing-failed" });
  });

  it("learns why nobody can explain it", async () => {
    await using ran = await evaluated([{ steps: [{ text: "Good day" }] }]);
    expect(await explain({ run: "1", from: "agent" }, ran)).toEqual({
      status: "unexplained",
      why: "the agent cannot be asked: no session of it was kept",
    });
    await expect(explain({ run: "1", from: "judge" }, ran)).rejects.toThrow(/no judge can be asked/);
  });
});
