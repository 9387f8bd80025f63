import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCommand } from "../support/built-command.ts";
import { expectArtifacts, onlyComparison } from "./artifacts.ts";
import { BUILTIN, csvReport, type ExampleProject, releaseNotes, type Rule } from "./example-project.ts";

let command: Awaited<ReturnType<typeof builtCommand>>;
beforeAll(async () => {
  command = await builtCommand();
}, 60_000);
afterAll(() => command[Symbol.asyncDispose]());

const COMPARES = { structured: true, system: "compare two outputs" };
const EXPLAINS = { structured: true, system: "explain why two versions" };

/** Never answered, so never paid for; the process that asks is ended while it waits. */
function held(when: object, times: number): Rule {
  return { name: "held", when, fault: { stall: true }, times };
}

/** The rule of this name, which answers so often before the next one gets its turn. */
function answering(rules: readonly Rule[], name: string, times: number): Rule {
  const rule = rules.find((one) => one.name === name);
  if (rule === undefined) throw new Error(`there is no rule ${name}`);
  return { ...rule, times };
}

interface Ended {
  readonly status: number | null;
  readonly err: string;
}

/** Starts the command, and ends it when that many questions are held. */
async function endWhenHeld(
  project: ExampleProject,
  args: readonly string[],
  { questions, signal }: { readonly questions: number; readonly signal: NodeJS.Signals },
): Promise<Ended> {
  const child = spawn(process.execPath, [command.path, ...args], {
    cwd: project.root,
    env: project.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let err = "";
  child.stderr.on("data", (text: Buffer) => void (err += String(text)));
  const ended = once(child, "close") as Promise<[number | null]>;
  await untilHeld(project, child, questions);
  child.kill(signal);
  const [status] = await ended;
  return { status, err };
}

async function untilHeld(project: ExampleProject, child: ChildProcess, questions: number): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (project.asked("held") < questions || !(await isGraded(project))) {
    if (child.exitCode !== null) throw new Error(`it ended by itself with ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error("nothing was held");
    await wait(20);
  }
}

/** Runs that have ended are graded beside the next ones; a question in flight would be paid for and lost. */
async function isGraded({ path }: ExampleProject): Promise<boolean> {
  const journals = await journalsIn(path(".assay"));
  const text = (await Promise.all(journals.map((file) => readFile(file, "utf8")))).join("");
  const count = (kind: string) => text.split(`"kind":"${kind}"`).length;
  return count("trial-finished") === count("verdicts-recorded");
}

async function journalsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith("journal.jsonl")).map((name) => `${folder}/${name}`);
}

const JUDGED = [
  "orders, counted first",
  "orders, counted second",
  "empty, reported first",
  "empty, reported second",
];
const GRADING = ".assay/csv-report/grading/iteration-2-vs-iteration-1";
const COMPARE = ["compare", "1", "2", "--analyze", "--transport", "api", "--concurrency", "1"];

const STEPS: readonly {
  readonly step: string;
  readonly rules: (rules: readonly Rule[]) => readonly Rule[];
  readonly questions: number;
  /** What lies in the folder when the process is ended. */
  readonly kept: readonly string[];
}[] = [
  {
    step: "after the sides were assigned",
    rules: () => [held(COMPARES, 2)],
    questions: 2,
    kept: ["assignment.json"],
  },
  {
    step: "between two judges",
    rules: (rules) => [...JUDGED.slice(0, 2).map((name) => answering(rules, name, 1)), held(COMPARES, 2)],
    questions: 2,
    kept: ["assignment.json", "comparison-1.json", "replies-1.json"],
  },
  {
    step: "between judges and analysis",
    rules: () => [held(EXPLAINS, 1)],
    questions: 1,
    kept: [
      "assignment.json",
      ...[1, 2, 3, 4, 5, 6].map((k) => `comparison-${k}.json`),
      "outcome.json",
      ...[1, 2, 3, 4, 5, 6].map((k) => `replies-${k}.json`),
    ],
  },
  {
    step: "while the analyst is asked again",
    rules: (rules) => [answering(rules, "analysis", 1), held(EXPLAINS, 1)],
    questions: 1,
    kept: [
      "assignment.json",
      ...[1, 2, 3, 4, 5, 6].map((k) => `comparison-${k}.json`),
      "outcome.json",
      ...[1, 2, 3, 4, 5, 6].map((k) => `replies-${k}.json`),
    ],
  },
];

describe.each(["SIGKILL", "SIGINT"] as const)("a comparison that got a %s", (signal) => {
  it.each(STEPS)("$step goes on: nothing is lost, nothing paid twice", async ({ rules, questions, kept }) => {
    await using project = await csvReport(rules);
    const { status, err } = await endWhenHeld(project, COMPARE, { questions, signal });
    expect(status).toBe(signal === "SIGINT" ? 130 : null);
    expect(err).toContain(signal === "SIGINT" ? "repeat the command to continue" : "comparing 2 pairs");
    expect((await readdir(project.path(GRADING))).toSorted()).toEqual(kept);
    const before = await readFile(project.path(`${GRADING}/assignment.json`), "utf8");

    const { out, exitCode } = await project.assay(...COMPARE);
    expect(out).toContain("blind: leans to iteration-2, not confirmed");
    expect(exitCode).toBe(0);
    expect(await readFile(project.path(`${GRADING}/assignment.json`), "utf8")).toBe(before);
    await expectArtifacts(project, GRADING, "csv-report-iterations");
    expect(project.asked(...JUDGED)).toBe(12);
    expect(project.asked("analysis")).toBe(2);
  });
});

describe.each(["SIGKILL", "SIGINT"] as const)("a comparison of versions that got a %s", (signal) => {
  const NOTES = "write the notes, by the skill";
  const LIST = "without the skill, a list of commits";
  const LISTING = { userText: "2.4.0 from commits.txt", offersTool: "write", anywhere: "List the commits." };
  const VERSIONS = [
    "compare",
    "v1.0",
    "HEAD",
    "--skill",
    ".",
    "--analyze",
    "--pairs",
    "2",
    ...BUILTIN,
    "--concurrency",
    "1",
  ];

  it.each([
    {
      step: "between two runs",
      rules: (rules: readonly Rule[]) => [{ ...answering(rules, LIST, 2), when: LISTING }, held(LISTING, 1)],
      questions: 1,
      says: "continue with --resume",
    },
    {
      step: "between runs and judges",
      rules: () => [held(COMPARES, 2)],
      questions: 2,
      says: "for versions with --resume",
    },
  ])("$step goes on with --resume", async ({ rules, questions, says }) => {
    await using project = await releaseNotes(rules);
    const { status, err } = await endWhenHeld(project, VERSIONS, { questions, signal });
    expect(status).toBe(signal === "SIGINT" ? 130 : null);
    expect(err).toContain(signal === "SIGINT" ? says : "4 trials");

    const { out, exitCode } = await project.assay(...VERSIONS, "--resume");
    expect(out).toContain("blind: leans to HEAD, not confirmed");
    expect(exitCode).toBe(0);
    await expectArtifacts(project, await onlyComparison(project), "release-notes-versions");
    expect(await readdir(project.path(".assay/release-notes"))).not.toContain("iteration-2");
    expect(project.asked(NOTES)).toBe(6);
    expect(project.asked(LIST)).toBe(4);
    expect(project.asked("what the notes hold", "what the list holds")).toBe(2);
    expect(project.asked("the judge on the notes", "the judge on the list")).toBe(2);
    expect(project.asked("notes first", "notes second")).toBe(6);
    expect(project.asked("analysis")).toBe(1);
  });
});
