import type { CliCommand } from "../command.ts";

export const COMMAND_GROUPS = [
  "Evaluate",
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
    name: "run",
    summary: "run the cases on an agent, grade what comes out, report",
    group: "Evaluate",
    load: () => import("./run.ts"),
  },
  {
    name: "bench",
    summary: "does the skill help, and how sure are we: two arms, statistics, benchmark.json",
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
    name: "demo",
    summary: "the main job on four example skills, offline and free",
    group: "Evaluate",
    load: () => import("./demo.ts"),
  },
  {
    name: "grade",
    summary: "grade again without running: an iteration, a captured text, a judge against a person",
    group: "Evaluate",
    load: () => import("./grade.ts"),
  },
  {
    name: "controls",
    summary: "can these checks fail on nothing, can they pass on a reference answer",
    group: "Evaluate",
    load: () => import("./controls.ts"),
  },
  {
    name: "capture",
    summary: "run a skill once and keep what it puts out, as evidence",
    group: "Evaluate",
    load: () => import("./capture.ts"),
  },
  {
    name: "improve",
    summary: "a better skill from what failed: in rounds, as one diff, or by its description",
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
    name: "check",
    summary: "validate eval files and lint skills; runs nothing",
    group: "Look before you run",
    load: () => import("./check.ts"),
  },
  {
    name: "doctor",
    summary: "would a run work here: agent, login, model, judge, sandbox; a fix for each failure",
    group: "Look before you run",
    load: () => import("./doctor.ts"),
  },
  {
    name: "list",
    summary: "show what would run: cases, checks per layer, triggers",
    group: "Look before you run",
    load: () => import("./list.ts"),
  },
  {
    name: "convert",
    summary: "rewrite an eval file in another of the four formats",
    group: "Work with files",
    load: () => import("./convert.ts"),
  },
  {
    name: "schema",
    summary: "print the JSON Schema of an eval format, for editors",
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
    name: "show",
    summary: "one run: prompt, answer, failing checks with evidence, files, tools, cost",
    group: "Look at results",
    load: () => import("./show.ts"),
  },
  {
    name: "trend",
    summary: "a skill over its iterations; --audit finds checks that tell nothing; --badge",
    group: "Look at results",
    load: () => import("./trend.ts"),
  },
  {
    name: "clean",
    summary: "remove old iterations by age, count or size",
    group: "Look at results",
    load: () => import("./clean.ts"),
  },
  {
    name: "sim",
    summary: "a scripted model server on loopback",
    group: "Build and test agents",
    load: () => import("./sim.ts"),
  },
];
