import type { CliCommand } from "../command.ts";

export const COMMAND_GROUPS = [
  "Begin",
  "Evaluate",
  "While it runs",
  "Improve",
  "Look before you run",
  "Look at results",
  "Work with files",
  "Build and test agents",
] as const;

/** What the root help and dispatch need to know; the command itself is loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly group: (typeof COMMAND_GROUPS)[number];
  readonly load: () => Promise<{ command: CliCommand }>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "write a first case for a skill, settings and a CI file",
    group: "Begin",
    load: () => import("./init.ts"),
  },
  {
    name: "demo",
    summary: "try Assay on four example skills, offline and free",
    group: "Begin",
    load: () => import("./demo.ts"),
  },
  {
    name: "run",
    summary: "run a skill's cases on an agent, grade the results, report",
    group: "Evaluate",
    load: () => import("./run.ts"),
  },
  {
    name: "bench",
    summary: "measure whether the skill helps: with it and without it, with statistics",
    group: "Evaluate",
    load: () => import("./bench.ts"),
  },
  {
    name: "compare",
    summary: "compare two versions: changed checks and blind judging",
    group: "Evaluate",
    load: () => import("./compare.ts"),
  },
  {
    name: "grade",
    summary: "grade again without running: an iteration, a text, or a judge against your labels",
    group: "Evaluate",
    load: () => import("./grade.ts"),
  },
  {
    name: "status",
    summary: "what is running in other terminals: progress, spending, limits",
    group: "While it runs",
    load: () => import("./status.ts"),
  },
  {
    name: "control",
    summary: "pause, resume, stop or re-limit a run from another terminal",
    group: "While it runs",
    load: () => import("./control.ts"),
  },
  {
    name: "controls",
    summary: "test your checks on an empty run and a reference answer",
    group: "Evaluate",
    load: () => import("./controls.ts"),
  },
  {
    name: "capture",
    summary: "run a skill once and save its output",
    group: "Evaluate",
    load: () => import("./capture.ts"),
  },
  {
    name: "improve",
    summary: "improve a skill from what failed: in rounds, as one diff, or its description",
    group: "Improve",
    load: () => import("./improve.ts"),
  },
  {
    name: "propose",
    summary: "draft evals from a skill, a captured output or a run that went wrong",
    group: "Improve",
    load: () => import("./propose.ts"),
  },
  {
    name: "add",
    summary: "turn a failure into a case, from a run or in your own words",
    group: "Improve",
    load: () => import("./add.ts"),
  },
  {
    name: "check",
    summary: "validate eval files and lint skills; runs nothing",
    group: "Look before you run",
    load: () => import("./check.ts"),
  },
  {
    name: "doctor",
    summary: "check this machine: agent, login, model, judge, sandbox; with a fix for each problem",
    group: "Look before you run",
    load: () => import("./doctor.ts"),
  },
  {
    name: "list",
    summary: "show what would run, and about what it would cost",
    group: "Look before you run",
    load: () => import("./list.ts"),
  },
  {
    name: "listing",
    summary: "would models still see this skill and its description next to others, by client?",
    group: "Look before you run",
    load: () => import("./listing.ts"),
  },
  {
    name: "convert",
    summary: "rewrite an eval file in another of the four formats",
    group: "Work with files",
    load: () => import("./convert.ts"),
  },
  {
    name: "schema",
    summary: "print JSON Schemas for editors: eval formats, settings, the JSON report",
    group: "Work with files",
    load: () => import("./schema.ts"),
  },
  {
    name: "package",
    summary: "make a reproducible .skill archive of a skill",
    group: "Work with files",
    load: () => import("./package.ts"),
  },
  {
    name: "completions",
    summary: "let your shell complete commands, flags, skills and cases",
    group: "Work with files",
    load: () => import("./completions.ts"),
  },
  {
    name: "ci",
    summary: "gate a pull request: check, replay or live lanes, one report, one comment",
    group: "Evaluate",
    load: () => import("./ci.ts"),
  },
  {
    name: "view",
    summary: "the results in a browser: grids, transcripts, files, evidence, feedback",
    group: "Look at results",
    load: () => import("./view.ts"),
  },
  {
    name: "report",
    summary: "the same as one HTML file to share, without secrets and names",
    group: "Look at results",
    load: () => import("./report.ts"),
  },
  {
    name: "show",
    summary: "one run: prompt, answer, failing checks with evidence, files, tools, cost",
    group: "Look at results",
    load: () => import("./show.ts"),
  },
  {
    name: "trend",
    summary: "follow a skill over its iterations; find useless checks; make a badge",
    group: "Look at results",
    load: () => import("./trend.ts"),
  },
  {
    name: "card",
    summary: "an evidence card to publish with the skill: measured, verifiable, signed if you like",
    group: "Look at results",
    load: () => import("./card.ts"),
  },
  {
    name: "export",
    summary: "results for other programs: ATIF, claude plugin eval, OpenTelemetry",
    group: "Look at results",
    load: () => import("./export.ts"),
  },
  {
    name: "clean",
    summary: "remove old iterations by age, count or size",
    group: "Look at results",
    load: () => import("./clean.ts"),
  },
  {
    name: "sim",
    summary: "serve a scripted model on this machine, for tests",
    group: "Build and test agents",
    load: () => import("./sim.ts"),
  },
];
