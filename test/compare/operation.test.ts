import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { EvalEvent } from "../../src/domain/event.ts";
import type { Iteration } from "../../src/domain/iteration.ts";
import type { Json } from "../../src/domain/json.ts";
import type { Machine } from "../../src/machine.ts";
import {
  compare,
  type CompareDoor,
  type CompareEvent,
  type CompareOptions,
} from "../../src/operations/compare.ts";
import { comparisonReplyOf } from "../support/comparing.ts";
import { type ComparingProject, comparingProject, PLAIN, skillText, WARM } from "./comparing-project.ts";
import { BUILTIN, releaseNotes } from "./example-project.ts";

const COMPARES = { system: "compare two outputs" };
const WARM_FIRST = { ...COMPARES, anywhere: { regex: "output 1\\]\\][^]*dear[^]*output 2\\]\\]" } };

/** Prefers the warm answer in both orders. */
const JUDGE: readonly Json[] = [
  { name: "warm first", when: WARM_FIRST, reply: { json: comparisonReplyOf(5, 3) } },
  { name: "warm second", when: COMPARES, reply: { json: comparisonReplyOf(3, 5) } },
];

async function twoIterations(rules: Json = JUDGE): Promise<ComparingProject> {
  const project = await comparingProject(rules);
  await project.run(PLAIN);
  await project.run(WARM);
  return project;
}

function machineIn({ root, env }: ComparingProject): Machine & { readonly notes: unknown[] } {
  const notes: unknown[] = [];
  return {
    env,
    cwd: root,
    home: "/dev/null/home",
    now: () => new Date(),
    note: (note) => void notes.push(note),
    consent: async () => null,
    notes,
  };
}

/** A person who likes it warm. */
async function warmPerson(text: string): Promise<string> {
  const [, one = ""] = text.split(/-+ output \d -+/);
  return one.includes("dear") ? "1" : "2";
}

function judged({ sim }: ComparingProject): number {
  return sim.requests.filter(({ rule }) => rule?.startsWith("warm")).length;
}

describe("a program that compares two iterations", () => {
  it("gets all of it as data and hears how the judges get on", async () => {
    await using project = await twoIterations();
    const machine = machineIn(project);
    const events: CompareEvent[] = [];
    const comparison = await compare(
      { first: "1", second: "2", judges: 2, concurrency: 1 },
      { machine, on: (event) => void events.push(event) },
    );
    expect(comparison).toMatchObject({
      status: "compared",
      verdict: "passed",
      versions: { first: "iteration-1", second: "iteration-2" },
      flips: [
        { caseId: "1", change: "moved" },
        { caseId: "2", change: "moved" },
      ],
      blind: { winner: "TIE", leaning: "second", positionAgreement: 1 },
      human: null,
      analysis: null,
      folder: project.path(".assay/greeter/grading/iteration-2-vs-iteration-1"),
      notes: [],
      uncompared: [],
    });
    expect(machine.notes).toEqual([]);
    const [started, ...rest] = events;
    expect(started).toEqual({ kind: "judging-started", pairs: 2, questions: judged(project) });
    expect(rest).toEqual([1, 2, 3, 4].map((count) => ({ kind: "pair-judged", judged: count, total: 4 })));
  });

  it("asks a person in its own way, and is told how far the judges agree", async () => {
    await using project = await twoIterations();
    const machine = machineIn(project);
    const asked = { first: "1", second: "2", human: true };
    const human = (await compare(asked, { machine, ask: warmPerson })) as { readonly human: unknown };
    expect(human.human).toMatchObject({
      answers: [{ winner: "second" }, { winner: "second" }],
      agreement: { compared: 2, agreed: 2 },
    });
    const again = compare(asked, { machine, ask: async () => Promise.reject(new Error("asked twice")) });
    expect(await again).toMatchObject({ human: human.human });
  });

  it("cannot have a person asked without a way to ask", async () => {
    await using project = await twoIterations();
    const call = compare({ first: "1", second: "2", human: true }, { machine: machineIn(project) });
    await expect(call).rejects.toMatchObject({ code: "compare/nobody" });
    expect(judged(project)).toBe(0);
  });

  it("stops the judges with its signal, and continues with what they answered", async () => {
    await using project = await twoIterations();
    const machine = machineIn(project);
    const stop = new AbortController();
    const options = { first: "1", second: "2", concurrency: 1 };
    const on = (event: CompareEvent) => {
      if (event.kind === "pair-judged" && event.judged === 2) stop.abort();
    };
    const stopped = await compare(options, { machine, on, signal: stop.signal });
    expect(stopped).toEqual({ status: "interrupted", during: "comparison" });
    const answered = judged(project);
    expect(answered).toBeGreaterThan(0);
    expect(await compare(options, { machine })).toMatchObject({ blind: { leaning: "second" } });
    expect(judged(project)).toBe(12);
    expect(answered).toBeLessThan(12);
  });

  it("learns which cases cannot be compared, and why", async () => {
    await using project = await twoIterations();
    const journal = project.path(".assay/greeter/iteration-2/journal.jsonl");
    const text = await readFile(journal, "utf8");
    const spoilt = text.replaceAll(
      '"outcome":{"status":"completed"}',
      '"outcome":{"status":"invalid","message":"x"}',
    );
    expect(spoilt).not.toBe(text);
    await writeFile(journal, spoilt);
    const machine = machineIn(project);
    const why = "left out as invalid";
    expect(await compare({ first: "1", second: "2" }, { machine })).toEqual({
      status: "nothing-counts",
      uncompared: ["1", "2"].map((caseId) => ({ caseId, side: "second", why })),
    });
    expect(machine.notes).toHaveLength(2);
  });

  it.each<[CompareOptions, string]>([
    [{ first: "1" }, "compare/no-names"],
    [{ first: "1", second: "2", flips: true, human: true }, "compare/flips-only"],
    [{ first: "1", second: "2", judges: 0 }, "options/invalid"],
    [{ first: "1", second: "2", judge: 3 } as CompareOptions, "options/unknown"],
  ])("%j is refused as on the command line", async (options, code) => {
    await using project = await comparingProject(JUDGE);
    await expect(compare(options, { machine: machineIn(project) })).rejects.toMatchObject({ code });
  });
});

describe("a program that compares two versions", () => {
  /** v1.0 is plain, the working copy warm; the agent repeats the last line of the skill it was given. */
  async function versions(): Promise<ComparingProject> {
    const project = await comparingProject(JUDGE);
    const steps = [
      { skill: "greeter" },
      { bash: "tail -n 1 .claude/skills/greeter/SKILL.md > said.txt" },
      { text: "Done" },
    ];
    await writeFile(project.path("script.json"), JSON.stringify({ replies: [{ steps }] }));
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
        cwd: project.root,
      });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "plain");
    git("tag", "v1.0");
    await writeFile(project.path("skills/greeter/SKILL.md"), skillText("Say hello, dear."));
    return project;
  }
  const OPTIONS: CompareOptions = {
    runs: 3,
    first: "v1.0",
    second: "skills/greeter",
    harnesses: ["scripted"],
    script: "script.json",
    concurrency: 1,
  };

  it("hears of their runs through its reporters, can stop them, and continues with resume", async () => {
    await using project = await versions();
    const machine = machineIn(project);
    const stop = new AbortController();
    const finished: string[] = [];
    const door: CompareDoor = {
      machine,
      reporters: [
        {
          name: "listener",
          event(event: EvalEvent) {
            if (event.kind !== "trial-finished") return;
            finished.push(event.trial.id);
            stop.abort();
          },
        },
      ],
    };
    const stopped = await compare(OPTIONS, { ...door, signal: stop.signal });
    expect(stopped).toEqual({ status: "interrupted", during: "runs" });
    expect(judged(project)).toBe(0);
    const ran = finished.length;
    expect(ran).toBeLessThan(4);
    const resumed = await compare({ ...OPTIONS, resume: true }, door);
    expect(resumed).toMatchObject({ status: "compared", blind: { winner: "second" } });
    expect(new Set(finished).size).toBe(12);
    const manifest = await project.json<Iteration>(".assay/greeter/iteration-1/run.json");
    expect(manifest.options).toMatchObject({ bench: { against: "v1.0", arms: ["new_skill", "old_skill"] } });
  });
});

describe("run.json of versions", () => {
  it("names the judge and the prices, as that of assay run does", async () => {
    await using project = await releaseNotes();
    await project.assay("compare", "v1.0", "HEAD", "--skill", ".", "--flips", ...BUILTIN);
    await project.run(null);
    const manifest = (iteration: number) =>
      project.json<Iteration>(`.assay/release-notes/iteration-${iteration}/run.json`);
    const [compared, ran] = [await manifest(1), await manifest(2)];
    expect(ran.judge).not.toBeNull();
    expect(ran.prices).not.toBeNull();
    expect(compared.judge).toEqual(ran.judge);
    expect(compared.prices).toEqual({ ...ran.prices, at: expect.any(String) as string });
  });
});

describe("assay compare --human at a terminal", () => {
  it("shows the pairs there and prints how far the judges agree", async () => {
    await using project = await twoIterations();
    let out = "";
    const shown: string[] = [];
    const exitCode = await main(["compare", "1", "2", "--human"], {
      out: (text) => void (out += text),
      err: () => {},
      env: { HOME: "/dev/null/home", ...project.env },
      cwd: project.root,
      decorated: { out: false, err: false },
      columns: 100,
      interactive: true,
      ask(text) {
        shown.push(text);
        return warmPerson(text);
      },
    });
    expect(exitCode).toBe(0);
    expect(shown).toHaveLength(2);
    expect(shown[0]).toContain("Which is better? 1, 2, t (tie), s (skip), q (stop): ");
    expect(out).toContain("you: 2 for iteration-2, 0 for iteration-1, 0 ties");
    expect(out).toContain("the judges agree with you on 2 of 2 pairs");
  });
});
