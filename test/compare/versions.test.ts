import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Iteration } from "../../src/domain/iteration.ts";
import { assay } from "../support/command-line.ts";
import { comparisonReplyOf } from "../support/comparing.ts";
import { type ComparingProject, comparingProject, skillText } from "./comparing-project.ts";

const BODIES = { "v1.0": "Say hi.", "v2.0": "Say hello warmly.", now: "Say good day." };

/** Prefers "hello" wherever it stands. */
const JUDGE = [
  {
    name: "hello first",
    when: {
      system: "compare two outputs",
      anywhere: { regex: "output 1\\]\\][^]*Say hello[^]*output 2\\]\\]" },
    },
    reply: { json: comparisonReplyOf(5, 3) },
  },
  {
    name: "hello second",
    when: { system: "compare two outputs", anywhere: "Say hello" },
    reply: { json: comparisonReplyOf(3, 5) },
  },
  { name: "no hello", when: { system: "compare two outputs" }, reply: { json: comparisonReplyOf(3, 3) } },
];

/** An agent that repeats the last line of its skill, so that what it says tells which version it was given. */
const OBEYS = JSON.stringify({
  replies: [
    {
      steps: [
        { skill: "greeter" },
        { bash: "tail -n 1 .claude/skills/greeter/SKILL.md > said.txt" },
        { text: "Done" },
      ],
    },
  ],
});
const AGENT = ["--harness", "scripted", "--script", "script.json", "--runs", "3"];

function gitIn(project: ComparingProject) {
  return (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
      cwd: project.root,
      encoding: "utf8",
    });
}

/** Tags v1.0 and v2.0 of the skill, and a working copy that is neither. */
async function taggedProject(): Promise<ComparingProject> {
  const project = await comparingProject(JUDGE);
  const git = gitIn(project);
  const write = (body: string) => writeFile(project.path("skills/greeter/SKILL.md"), skillText(body));
  await writeFile(project.path("script.json"), OBEYS);
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "empty");
  git("tag", "empty");
  for (const tag of ["v1.0", "v2.0"] as const) {
    await write(BODIES[tag]);
    git("add", "-A");
    git("commit", "-qm", tag);
    git("tag", tag);
  }
  await write(BODIES.now);
  return project;
}

async function said(project: ComparingProject, iteration: number): Promise<Record<string, string>> {
  const root = `.assay/greeter/iteration-${iteration}/eval-1`;
  const read = (variant: string) =>
    readFile(project.path(`${root}/${variant}/run-1/outputs/said.txt`), "utf8");
  return { old: (await read("old_skill")).trim(), new: (await read("new_skill")).trim() };
}

/** Those of this process: other tests fetch versions at the same time. */
async function fetchedFolders(): Promise<readonly string[]> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith("assay-version-"));
  const owner = (name: string) => readFile(join(tmpdir(), name, "owner.json"), "utf8").catch(() => "{}");
  const owners = await Promise.all(names.map(owner));
  return names.filter((_, at) => (JSON.parse(owners[at] ?? "{}") as { pid?: number }).pid === process.pid);
}

describe("two versions", () => {
  let project: ComparingProject;
  beforeAll(async () => {
    project = await taggedProject();
  });
  afterAll(() => project[Symbol.asyncDispose]());

  it.each([
    [["v1.0", "v2.0", "--skill", "skills/greeter"], ["v1.0", "v2.0"], "v2.0", 0],
    [["v2.0", "HEAD~1", "--skill", "skills/greeter/SKILL.md"], ["v2.0", "v1.0"], "v2.0", 1],
    [["skills/greeter", "main"], ["now", "v2.0"], "main", 0],
    [["v1.0", "skills/greeter"], ["v1.0", "now"], null, 0],
  ] as const)("%j", async (args, [first, second], winner, exit) => {
    const before = gitIn(project)("status", "--porcelain", "--", "skills");
    const iterations = await readdir(project.path(".assay/greeter")).catch(() => []);
    const next = iterations.filter((name) => name.startsWith("iteration-")).length + 1;
    const { out, err, exitCode } = await project.assay("compare", ...args, ...AGENT);
    expect(err).toContain("12 trials");
    expect(await said(project, next)).toEqual({ old: BODIES[first], new: BODIES[second] });
    expect(out).toContain(`${args[1]} against ${args[0]}`);
    expect(out).toContain(
      winner === null
        ? "blind: a tie"
        : `blind: ${winner} wins on these 2 cases (6 of 6 pairs of outputs, p = 0.031)`,
    );
    expect(exitCode).toBe(exit);
    const manifest = await project.json<Iteration>(`.assay/greeter/iteration-${next}/run.json`);
    expect(manifest.skill?.path).toBe(project.path("skills/greeter"));
    expect(gitIn(project)("status", "--porcelain", "--", "skills")).toBe(before);
  });

  it("leave nothing of what was fetched behind", async () => {
    const before = await fetchedFolders();
    await project.assay("compare", "v1.0", "v2.0", "--skill", "skills/greeter", "--flips", ...AGENT);
    expect(await fetchedFolders()).toEqual(before);
  });

  it.each([
    [
      ["v1.0", "v2.0"],
      "compare/which-skill",
      "v1.0 and v2.0 are no files here, so they must be git refs",
      "--skill skills/pdf",
    ],
    [
      ["v1.9", "v2.0", "--skill", "skills/greeter"],
      "bench/no-version",
      '"v1.9" is neither a directory',
      "did you mean v1.0?",
    ],
    [
      ["v1.0", "nothing-like-it", "--skill", "skills/greeter"],
      "bench/no-version",
      '"nothing-like-it" is neither',
      "git branch --all",
    ],
    [
      ["empty", "v2.0", "--skill", "skills/greeter"],
      "bench/no-version",
      "empty has no skills/greeter",
      "git log --all -- skills/greeter",
    ],
    [
      ["v1.0", "v2.0", "--skill", "skills/parting"],
      "bench/no-version",
      "there is no skill in skills/parting",
      "SKILL.md",
    ],
    [
      ["v2.0", "main", "--skill", "skills/greeter"],
      "compare/same",
      "v2.0 and main hold the same skill",
      "--aa",
    ],
    [["skills/greeter", "./skills/greeter"], "compare/same", "hold the same skill", "--aa"],
    [["main", "script.json"], "compare/unknown", '"main" is not an iteration', "two versions of a skill"],
    [
      ["v1.0", "v2.0", "--skill", "skills/greeter", "--model", "a,b"],
      "compare/several-runs",
      "one agent and one model",
      "--model",
    ],
  ] as const)("cannot be %j", async (args, code, cause, next) => {
    const runs = await readdir(project.path(".assay/greeter")).catch(() => []);
    const { out, err, exitCode } = await project.assay("compare", ...args, ...AGENT);
    expect(err).toContain(code);
    expect(err).toContain(cause);
    expect(err).toContain(next);
    expect(out).toBe("");
    expect(exitCode).toBe(2);
    expect(await readdir(project.path(".assay/greeter")).catch(() => [])).toEqual(runs);
  });

  it("are told apart by a directory where there is no repository", async () => {
    await using own = await taggedProject();
    await mkdir(own.path("older"), { recursive: true });
    await writeFile(own.path("older/SKILL.md"), skillText(BODIES["v1.0"]));
    await rm(own.path(".git"), { recursive: true });
    const refused = await own.assay("compare", "v1.0", "v2.0", "--skill", "skills/greeter", ...AGENT);
    expect(refused.err).toContain(
      `"v1.0" is not a directory with a skill, and ${own.path("skills/greeter")} is not in a git repository`,
    );
    expect(refused.err).toContain("give a directory");
    expect(refused.exitCode).toBe(2);
    const { exitCode } = await own.assay("compare", "older", "skills/greeter", ...AGENT);
    expect(exitCode).toBe(0);
    expect(await said(own, 1)).toEqual({ old: BODIES["v1.0"], new: BODIES.now });
  });

  it("go on with --resume only in an iteration of the same two", async () => {
    await using own = await taggedProject();
    const compare = (first: string, second: string) =>
      own.assay("compare", first, second, "--skill", "skills/greeter", "--flips", "--resume", ...AGENT);
    const runs = async () =>
      (await readdir(own.path(".assay/greeter"))).filter((name) => name.startsWith("iteration-")).length;
    expect((await compare("v1.0", "v2.0")).err).toContain("nothing to continue");
    expect((await compare("v1.0", "v2.0")).err).not.toContain("nothing to continue");
    expect(await runs()).toBe(1);
    expect((await compare("v1.0", "skills/greeter")).err).toContain("nothing to continue");
    expect((await compare("v2.0", "v1.0")).err).toContain("nothing to continue");
    expect(await runs()).toBe(3);
  });

  it("keep to one budget with --resume and --retry-errors", async () => {
    await using own = await taggedProject();
    const spent = async (...more: string[]) => {
      const args = ["v1.0", "v2.0", "--skill", "skills/greeter", "--max-cost", "5", "--no-cache", ...more];
      await own.assay("compare", ...args, ...AGENT);
      return (await own.json<{ spent: { costUsd: number } }>(".assay/budget-compare.json")).spent.costUsd;
    };
    const once = await spent();
    expect(once).toBeGreaterThan(0);
    expect(await spent("--resume")).toBeCloseTo(2 * once, 10);
    expect(await spent("--retry-errors")).toBeCloseTo(3 * once, 10);
    expect(await spent()).toBeCloseTo(once, 10);
  });

  it("are run although there is no judge, which is said before", async () => {
    await using own = await taggedProject();
    const args = ["compare", "v1.0", "v2.0", "--skill", "skills/greeter", ...AGENT];
    const { err, out } = await assay(args, { cwd: own.root, env: { PATH: "/usr/bin:/bin" } });
    expect(err).toContain("no judge is configured");
    expect(err).toContain("(--flips)");
    expect(err.indexOf("no judge is configured")).toBeLessThan(err.indexOf("12 trials"));
    expect(out).toContain("checks: 0 regressed");
  });
});
