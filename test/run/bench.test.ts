import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Iteration } from "../../src/domain/iteration.ts";
import type { Summary } from "../../src/domain/summary.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { bench } from "../../src/operations/bench.ts";
import type { BenchmarkFile } from "../../src/report/benchmark/benchmark-file.ts";
import { readTrend } from "../../src/store/trend.ts";
import type { GradingFile } from "../../src/store/write/grading.ts";
import type { TimingFile } from "../../src/store/write/timing.ts";
import { thisMachine } from "../../src/this-machine.ts";
import { assay } from "../support/command-line.ts";
import { journal } from "../support/project.ts";
import { assayOnExample } from "../support/run-example.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

const SKILL = (body: string) => `---\nname: greeter\ndescription: Greets people.\n---\n\n${body}\n`;
const BENCH = ["bench", "skills/greeter", "--harness", "scripted", "--script", "script.json"];

/** A skill with so many cases that each ask for a "Hello" in the answer. */
async function greeters(
  cases: number,
  replies: readonly object[],
  extra: Readonly<Record<string, string>> = {},
): Promise<TempTree> {
  const evals = Array.from({ length: cases }, (_, at) => ({
    id: at + 1,
    prompt: `Greet number ${at + 1}.`,
    assay: { checks: [{ type: "contains", needle: "Hello" }] },
  }));
  return tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": SKILL("Say Hello."),
    "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
    "script.json": JSON.stringify({ replies }),
    ...extra,
  });
}

const HELLO = [{ skill: "greeter" }, { text: "Hello" }];
const HELPS = [{ when: { skill: true }, steps: HELLO }, { steps: [{ text: "Bye" }] }];
const HURTS = [
  { when: { skill: true }, steps: [{ skill: "greeter" }, { text: "Bye" }] },
  { steps: [{ text: "Hello" }] },
];
/** Says what the installed skill says. */
const OBEYS = [
  {
    steps: [
      { skill: "greeter" },
      { bash: "tail -n 1 .claude/skills/greeter/SKILL.md > said.txt" },
      { text: "Done" },
    ],
  },
];

async function json<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, "utf8")) as T;
}

describe("assay bench on an example", () => {
  it("writes a workspace that skill-creator's tools read, with the figures that they compute", async () => {
    await using results = await tempTree();
    const { exitCode, out } = await assayOnExample("csv-report", ["bench"], { workspace: results.root });
    expect(exitCode).toBe(0);
    expect(out).toContain("better, with_skill against without_skill");
    expect(out).toMatch(/Better on these 2 cases: 7 % -> 100 % .* On other cases: 2 of 2 improved; 6 cases/);
    const folder = results.path("csv-report/iteration-1");
    const file = await json<BenchmarkFile>(join(folder, "benchmark.json"));
    const runs = await aggregatorsView(folder);
    expect(runs).toHaveLength(12);
    expect(Object.keys(file.run_summary)).toEqual(["with_skill", "without_skill", "delta"]);
    for (const name of ["with_skill", "without_skill"]) {
      const mine = runs.filter((run) => run.configuration === name);
      expect(mine).toHaveLength(6);
      expect(file.run_summary[name]).toEqual({
        pass_rate: stats(mine.map((run) => run.passRate)),
        time_seconds: stats(mine.map((run) => run.seconds)),
        tokens: stats(mine.map((run) => run.tokens)),
      });
    }
    expect(file.run_summary["delta"]).toEqual({
      pass_rate: expect.stringMatching(/^[+-]\d\.\d\d$/),
      time_seconds: expect.stringMatching(/^[+-]\d+\.\d$/),
      tokens: expect.stringMatching(/^[+-]\d+$/),
    });
    expect(file.metadata).toMatchObject({
      skill_name: "csv-report",
      executor_model: "claude-sonnet-4-6",
      evals_run: [1, 2],
      runs_per_configuration: 3,
    });
    expect(await readFile(join(folder, "benchmark.md"), "utf8")).toContain(
      "| Pass rate | 100 % ± 0 % | 7 % ± 8 % | +0.93 |",
    );
    await everyRunIsReadable(folder);

    const again = await assayOnExample("csv-report", ["bench"], { workspace: results.root });
    expect(again.out).toContain("without_skill: 6 of 6 runs were taken over from an earlier iteration");
    const second = await json<BenchmarkFile>(results.path("csv-report/iteration-2/benchmark.json"));
    expect(second.run_summary["without_skill"]).toEqual(file.run_summary["without_skill"]);
    expect(second.statistics.arms.map((arm) => arm.reused)).toEqual([0, 6]);
    expect(again.out).toMatch(/^ {2}saved by reusing 6 earlier baseline runs: [\d,]+ tokens in, .*\$/m);
    const [before, after] = [
      await json<Summary>(join(folder, "summary.json")),
      await json<Summary>(results.path("csv-report/iteration-2/summary.json")),
    ];
    expect(before.saved).toBeNull();
    expect(after.saved?.runs).toBe(6);
    expect(after.saved?.usage.inputTokens).toBeGreaterThan(0);
    expect(after.usage.outputTokens).toBe(
      (before.usage.outputTokens ?? 0) - (after.saved?.usage.outputTokens ?? 0),
    );
    const trend = await assay(["trend", "csv-report", "--workspace", results.root], { cwd: results.root });
    expect(trend.out).toMatch(/csv-report {2}pass_rate {2}██/);
    expect(trend.out).toContain("+0.93 better");
    const audit = await assay(["trend", "--audit", "--workspace", results.root], { cwd: results.root });
    expect(audit.out).toContain("never fails");
    expect(audit.exitCode).toBe(1);
  }, 120_000);
});

describe("the manifest of a benchmark", () => {
  it("says who judged and by which prices", async () => {
    await using results = await tempTree();
    await assayOnExample("csv-report", ["bench", "--smoke"], { workspace: results.root });
    const { judge, prices } = await json<Iteration>(results.path("csv-report/iteration-1/run.json"));
    expect(judge).toEqual({ provider: "anthropic", model: expect.any(String) });
    expect(prices).not.toBeNull();
  }, 60_000);
});

interface SeenRun {
  readonly configuration: string;
  readonly passRate: number;
  readonly seconds: number;
  readonly tokens: number;
}

/** The runs as skill-creator's aggregator finds and reads them, by its description. */
async function aggregatorsView(folder: string): Promise<SeenRun[]> {
  const seen: SeenRun[] = [];
  for (const place of await runFolders(folder)) {
    const grading = await json<GradingFile>(join(place.path, "grading.json"));
    const timing = await json<TimingFile>(join(place.path, "timing.json"));
    expect(grading.timing).not.toHaveProperty("total_duration_seconds");
    seen.push({
      configuration: place.configuration,
      passRate: grading.summary.pass_rate,
      seconds: timing.total_duration_seconds,
      tokens: timing.total_tokens ?? 0,
    });
  }
  return seen;
}

async function runFolders(folder: string): Promise<{ path: string; configuration: string }[]> {
  const evals = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const found = [];
  for (const name of evals.map((entry) => entry.name).toSorted()) {
    const configurations = await readdir(join(folder, name), { withFileTypes: true });
    for (const { name: configuration } of configurations.filter((entry) => entry.isDirectory())) {
      const runs = (await readdir(join(folder, name, configuration))).filter((run) => /^run-\d+$/.test(run));
      for (const run of runs) found.push({ path: join(folder, name, configuration, run), configuration });
    }
  }
  return found;
}

async function gradedArms(folder: string): Promise<string[]> {
  const runs = await runFolders(folder);
  return runs
    .filter(({ path }) => existsSync(join(path, "grading.json")))
    .map(({ configuration }) => configuration);
}

async function everyRunIsReadable(folder: string): Promise<void> {
  const ids = new Set<string>();
  for (const { path } of await runFolders(folder)) {
    const outputs = await readdir(join(path, "outputs"), { withFileTypes: true });
    expect(outputs.some((entry) => entry.isFile())).toBe(true);
    const grading = await json<GradingFile>(join(path, "grading.json"));
    expect(
      JSON.stringify([
        grading.summary,
        grading.timing,
        grading.execution_metrics,
        grading.user_notes_summary,
      ]),
    ).not.toContain("null");
    for (const level of ["..", "../.."]) {
      const metadata = await json<{ eval_id: unknown; prompt: unknown }>(
        join(path, level, "eval_metadata.json"),
      );
      ids.add(typeof metadata.eval_id);
      expect(metadata.prompt).toEqual(expect.any(String));
    }
  }
  expect([...ids]).toEqual(["number"]);
}

function stats(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const four = (value: number) => expect.closeTo(value, 4);
  return {
    mean: four(mean),
    stddev: four(Math.sqrt(variance)),
    min: four(Math.min(...values)),
    max: four(Math.max(...values)),
  };
}

describe("assay bench", () => {
  it("finds a skill that helps, and keeps the group and how it was compared", async () => {
    await using project = await greeters(6, HELPS);
    const { exitCode, out } = await assay([...BENCH, "--smoke"], { cwd: project.root });
    expect(out).toContain("greeter: better, with_skill against without_skill");
    expect(exitCode).toBe(0);
    const manifest = await json<{ group: string; options: { bench: object } }>(
      project.path(".assay/greeter/iteration-1/run.json"),
    );
    expect(manifest.group).toMatch(/^bench-/);
    expect(manifest.options.bench).toMatchObject({ alpha: 0.05, arms: ["with_skill", "without_skill"] });
  });

  it("exits 1 on a skill that makes things worse", async () => {
    await using project = await greeters(6, HURTS);
    const { exitCode, out } = await assay([...BENCH, "--smoke"], { cwd: project.root });
    expect(out).toContain("greeter: WORSE");
    expect(exitCode).toBe(1);
  });

  it("exits 1 when a new version breaks all of five cases, at the usual three runs", async () => {
    await using project = await greeters(5, OBEYS, {
      "elsewhere/greeter/SKILL.md": SKILL("Hello"),
      "skills/greeter/SKILL.md": SKILL("Bye"),
    });
    const evals = Array.from({ length: 5 }, (_, at) => ({
      id: at + 1,
      prompt: `Greet number ${at + 1}.`,
      assay: { checks: [{ type: "file_matches", path: "said.txt", pattern: "Hello" }] },
    }));
    await writeFile(
      project.path("skills/greeter/evals/evals.json"),
      JSON.stringify({ skill_name: "greeter", evals }),
    );
    const { exitCode, out } = await assay([...BENCH, "--against", "elsewhere/greeter"], {
      cwd: project.root,
    });
    expect(out).toContain("greeter: WORSE, new_skill against old_skill");
    expect(out).toMatch(
      /Worse on these 5 cases: 100 % -> 0 % \(-100 points, 95 % interval -100 to -\d+, p < 0.001\)/,
    );
    expect(out).toContain("On other cases: 5 of 5 got worse; 6 cases are needed to say more.");
    expect(exitCode).toBe(1);
    const file = await json<BenchmarkFile>(project.path(".assay/greeter/iteration-1/benchmark.json"));
    expect(file.statistics.comparisons[0]?.passRate).toMatchObject({
      verdict: "worse",
      otherCases: { verdict: "too few" },
    });
  });

  it("leaves a baseline out that reached the skill all the same", async () => {
    await using project = await greeters(1, [{ steps: HELLO }]);
    const { exitCode, out } = await assay([...BENCH, "--smoke"], { cwd: project.root });
    expect(out).toContain("without_skill: 0 of 1 runs are in the numbers; left out: 1 invalid");
    expect(exitCode).toBe(3);
  });

  it("says why results are missing, once per cause, in every report", async () => {
    const evals = [1, 2].map((id) => ({
      id,
      prompt: `Greet ${id}.`,
      expectations: ["It is polite", "It is short"],
    }));
    await using project = await greeters(2, [{ steps: HELLO }], {
      "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
    });
    const { out } = await assay([...BENCH, "--smoke"], { cwd: project.root });
    const folder = project.path(".assay/greeter/iteration-1");
    const markdown = await readFile(join(folder, "benchmark.md"), "utf8");
    for (const text of [out, markdown]) {
      expect(text.match(/with_skill: 4 checks unscored in 2 runs: \S/g)).toHaveLength(1);
      expect(text.match(/without_skill: 2 runs left out \(invalid\): \S/g)).toHaveLength(1);
    }
    const { benchmark } = await json<Summary>(join(folder, "summary.json"));
    expect(benchmark?.arms.map(({ missing }) => missing)).toEqual([
      [{ kind: "unscored", reason: expect.stringContaining("judge"), checks: 4, runs: 2 }],
      [{ kind: "left-out", status: "invalid", reason: expect.stringContaining("skill"), runs: 2 }],
    ]);
  });

  it("leaves a baseline out that was offered the skill, as the requests to its model show", async () => {
    const fixture = ".claude/skills/greeter/SKILL.md";
    const evals = [
      {
        id: 1,
        prompt: "Greet.",
        files: [fixture],
        assay: { checks: [{ type: "contains", needle: "Hello" }] },
      },
    ];
    await using project = await greeters(1, [], {
      "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
      [`skills/greeter/${fixture}`]: SKILL("Smuggled in."),
    });
    await using sim = await startSim(parseScript(JSON.stringify({ rules: [{ reply: "Hello" }] })));
    const env = { ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "any-key-will-do" };
    const { exitCode } = await assay(
      ["bench", "skills/greeter", "--harness", "builtin", "--smoke", "--workspace", ".assay"],
      {
        cwd: project.root,
        env,
      },
    );
    expect(exitCode).toBe(3);
    const finished = (await journal(project.root)).filter((event) => event.kind === "trial-finished");
    expect(finished.find(({ trial }) => trial.variant === "without_skill")?.run.outcome).toEqual({
      status: "invalid",
      message: "the baseline was offered the skill greeter",
      mayPass: false,
    });
  });

  it("is computed anew when the runs are graded again by other checks", async () => {
    await using project = await greeters(6, HELPS);
    await assay([...BENCH, "--smoke"], { cwd: project.root });
    const path = project.path("skills/greeter/evals/evals.json");
    await writeFile(path, (await readFile(path, "utf8")).replaceAll("Hello", "Bye"));
    const { out, exitCode } = await assay(["grade", "greeter"], { cwd: project.root });
    expect(out).toContain("greeter: WORSE");
    expect(exitCode).toBe(1);
    const file = await json<BenchmarkFile>(project.path(".assay/greeter/iteration-1/benchmark.json"));
    expect(file.statistics.verdict).toBe("worse");
    expect(file.run_summary["delta"]).toMatchObject({ pass_rate: "-1.00" });
  });

  it("compares with a directory", async () => {
    await using project = await greeters(1, OBEYS, { "elsewhere/greeter/SKILL.md": SKILL("Say Good day.") });
    await assay([...BENCH, "--smoke", "--against", "elsewhere/greeter"], { cwd: project.root });
    expect(await said(project)).toEqual({ new_skill: "Say Hello.\n", old_skill: "Say Good day.\n" });
  });

  it("compares with a git ref, and leaves the repository as it was", async () => {
    await using project = await greeters(1, OBEYS);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
        cwd: project.root,
        encoding: "utf8",
      });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "old");
    await writeFile(project.path("skills/greeter/SKILL.md"), SKILL("Say Hi."));
    const before = git("status", "--porcelain", "--", "skills");
    const { exitCode, err } = await assay([...BENCH, "--smoke", "--against", "HEAD"], { cwd: project.root });
    expect(err).toContain("2 trials");
    expect(exitCode).toBe(0);
    expect(await said(project)).toEqual({ new_skill: "Say Hi.\n", old_skill: "Say Hello.\n" });
    expect(git("status", "--porcelain", "--", "skills")).toBe(before);
  });

  it("says what is wrong with a version that is not there", async () => {
    await using project = await greeters(1, OBEYS);
    const { exitCode, err } = await assay([...BENCH, "--against", "nowhere"], { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toContain('"nowhere" is no directory with a skill');
    expect(err).toContain("lies in no git repository");
  });

  it("says before it runs that nobody can judge, once", async () => {
    await using project = await greeters(1, HELPS);
    const evals = {
      skill_name: "greeter",
      evals: [{ id: 1, prompt: "Greet.", expectations: ["It is warm"] }],
    };
    await writeFile(project.path("skills/greeter/evals/evals.json"), JSON.stringify(evals));
    const surroundings = { cwd: project.root, env: { PATH: "/usr/bin:/bin" } };
    const { err } = await assay([...BENCH, "--smoke", "--inline"], surroundings);
    expect(err.split("no judge is configured").length).toBe(2);
    expect(err.indexOf("no judge is configured")).toBeLessThan(err.indexOf("2 trials"));
    const ungraded = await assay([...BENCH, "--smoke", "--no-grade"], surroundings);
    expect(ungraded.err).not.toContain("no judge is configured");
  });

  it("puts the skill's text into the prompt as an iteration of its own in the group", async () => {
    await using project = await greeters(1, [
      { when: { prompt: "Say Hello." }, steps: [{ text: "Hello" }] },
      ...HELPS,
    ]);
    const { out } = await assay([...BENCH, "--smoke", "--inline"], { cwd: project.root });
    expect(out).toContain("inline against without_skill");
    expect(out).toContain("with_skill against inline:");
    const file = await json<BenchmarkFile>(project.path(".assay/greeter/iteration-2/benchmark.json"));
    expect(file.statistics.comparisons[0]).toMatchObject({ treatment: "inline", passRate: { lift: 1 } });
    expect(file.statistics.comparisons[1]).toMatchObject({ treatment: "with_skill", passRate: { lift: 0 } });
  });

  it("runs the text in the prompt beside the arms that it is compared with", async () => {
    await using project = await greeters(2, HELPS);
    await assay([...BENCH, "--inline", "--concurrency", "2"], { cwd: project.root });
    const [compared, inline] = [await journal(project.root, 1), await journal(project.root, 2)];
    const finished = compared.find((event) => event.kind === "iteration-finished");
    const started = inline.find((event) => event.kind === "iteration-started");
    expect(Date.parse(started?.at ?? "")).toBeLessThan(Date.parse(finished?.at ?? ""));
  });

  it("runs one arm against itself", async () => {
    await using project = await greeters(2, HELPS);
    const { out, exitCode } = await assay([...BENCH, "--aa", "--runs", "2"], { cwd: project.root });
    expect(out).toContain("odd runs against even runs");
    expect(out).toContain("Odd and even runs do not differ beyond chance (p = 1.000)");
    expect((await journal(project.root)).filter((event) => event.kind === "trial-finished")).toHaveLength(8);
    expect(exitCode).toBe(0);
  });

  it("stops adding runs once the verdict is clear", async () => {
    await using project = await greeters(8, HELPS);
    const { out } = await assay([...BENCH, "--adaptive", "--runs", "4"], { cwd: project.root });
    expect(out).toContain("adaptive: decided at look 1 after 1 of 2 looks, 32 runs in place of 64");
    expect(out).toContain("greeter: better");
  });

  it("goes on while the verdict is open, and says that it stayed so", async () => {
    await using project = await greeters(1, HELPS);
    const { out } = await assay([...BENCH, "--adaptive", "--runs", "4"], { cwd: project.root });
    expect(out).toMatch(/adaptive: .* after \d of 2 looks, \d runs in place of 8/);
  });

  it("resumes its own iteration and not that of a plain run", async () => {
    await using project = await greeters(1, HELPS);
    await assay([...BENCH, "--smoke"], { cwd: project.root });
    await assay(["run", ...BENCH.slice(1)], { cwd: project.root });
    await assay([...BENCH, "--reliable", "--resume"], { cwd: project.root });
    const finished = async (number: number) =>
      (await journal(project.root, number)).filter((event) => event.kind === "trial-finished").length;
    expect([await finished(1), await finished(2)]).toEqual([10, 1]);
  });

  it("takes baselines over without their verdicts, which skill-creator's aggregator would count", async () => {
    await using project = await greeters(1, HELPS);
    const [first, second] = [
      project.path(".assay/greeter/iteration-1"),
      project.path(".assay/greeter/iteration-2"),
    ];
    await assay([...BENCH, "--smoke"], { cwd: project.root });
    expect(await gradedArms(first)).toEqual(["with_skill", "without_skill"]);
    const { out } = await assay([...BENCH, "--smoke", "--no-grade"], { cwd: project.root });
    expect(out).toContain("without_skill: 1 of 1 runs were taken over");
    expect(await gradedArms(second)).toEqual([]);
    await assay(["grade", second], { cwd: project.root });
    expect(await gradedArms(second)).toEqual(["with_skill", "without_skill"]);
  });

  it("runs baselines again when they are not to be reused, and when the case changed", async () => {
    await using project = await greeters(1, HELPS);
    await assay([...BENCH, "--smoke"], { cwd: project.root });
    const reused = async () => {
      const { out } = await assay([...BENCH, "--smoke", "--json"], { cwd: project.root });
      const { iterations } = JSON.parse(out) as {
        iterations: { benchmark: { arms: { reused: number }[] } }[];
      };
      return iterations[0]?.benchmark.arms.map((arm) => arm.reused);
    };
    await writeFile(project.path("skills/greeter/SKILL.md"), SKILL("Say Hello, loudly."));
    expect(await reused()).toEqual([0, 1]);
    const fresh = await assay([...BENCH, "--smoke", "--no-reuse"], { cwd: project.root });
    expect(fresh.out).not.toContain("taken over");
    const evals = await readFile(project.path("skills/greeter/evals/evals.json"), "utf8");
    await writeFile(project.path("skills/greeter/evals/evals.json"), evals.replace("number 1", "number one"));
    expect(await reused()).toEqual([0, 0]);
  });

  it.each([
    [["--aa", "--inline"], "--aa compares one arm with itself"],
    [["--smoke", "--runs", "4"], "each say how often to run"],
    [["--smoke", "--reliable"], "each say how often to run"],
    [["--mode", "trigger"], "a trigger query has no second arm"],
  ])("refuses %j", async (words, message) => {
    await using project = await greeters(1, HELPS);
    const { exitCode, err } = await assay([...BENCH, ...words], { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
  });

  it("needs a skill", async () => {
    await using project = await tempTree({
      "evals/001.yaml":
        "timestamp: 2026-01-01T00:00:00Z\nname: greet\nprompt: Greet Ada\nexpected: a greeting\n",
    });
    const { exitCode, err } = await assay(
      ["bench", "evals/001.yaml", "--harness", "scripted", "--script", "x"],
      { cwd: project.root },
    );
    expect(exitCode).toBe(2);
    expect(err).toContain("so there is only one arm");
  });

  it("shows the lifts of a matrix side by side", async () => {
    await using project = await greeters(6, HELPS);
    const { out, exitCode } = await assay([...BENCH, "--smoke", "--model", "a,b"], { cwd: project.root });
    expect(out).toMatch(/greeter {2}scripted {2}a .*\+1\.00.*0\.031.*0\.031.*better/);
    expect(out).toContain("adjusted for 2 benchmarks");
    expect(exitCode).toBe(0);
  });

  it("keeps the verdict that it shows and exits with, when one benchmark among many is worse by chance", async () => {
    const evals = [1, 2].map((id) => ({
      id,
      prompt: `Part with number ${id}.`,
      assay: { checks: [{ type: "contains", needle: "Hello" }] },
    }));
    await using project = await greeters(
      6,
      [{ when: { prompt: "Part" }, steps: [{ text: "Hello" }] }, ...HURTS],
      {
        "skills/parter/SKILL.md": SKILL("Say Hello.").replaceAll("greeter", "parter"),
        "skills/parter/evals/evals.json": JSON.stringify({ skill_name: "parter", evals }),
      },
    );
    const words = ["bench", "skills", ...BENCH.slice(2), "--smoke"];
    const { exitCode, out } = await assay(words, { cwd: project.root });
    expect(out).toContain("worse by itself, not among 2");
    expect(exitCode).toBe(0);
    expect(await keptVerdicts(project, 1)).toEqual({ summary: "passed", trend: "passed" });
    const { benchmark } = await json<Summary>(project.path(".assay/greeter/iteration-1/summary.json"));
    expect(benchmark?.among).toMatchObject({ benchmarks: 2, holds: false });
  });
});

describe("bench, as a program calls it", () => {
  const door = (project: TempTree) => ({
    machine: {
      ...thisMachine(),
      cwd: project.root,
      home: "/nonexistent",
      env: { PATH: process.env["PATH"] },
    },
  });
  const options = {
    targets: ["skills/greeter"],
    harnesses: ["scripted"],
    script: "script.json",
    smoke: true,
  };

  it("answers with the reports and the lifts side by side", async () => {
    await using project = await greeters(6, HELPS);
    const { reports, matrix, ended } = await bench({ ...options, models: ["a", "b"] }, door(project));
    expect(ended).toBe("complete");
    expect(reports.map(({ summary }) => summary.verdict)).toEqual(["passed", "passed"]);
    expect(matrix.map(({ model, lift, holds }) => ({ model, lift, holds }))).toEqual([
      { model: "a", lift: 1, holds: true },
      { model: "b", lift: 1, holds: true },
    ]);
  });

  it("refuses what the command line refuses", async () => {
    await using project = await greeters(1, HELPS);
    await expect(bench({ ...options, minEffect: 2 }, door(project))).rejects.toMatchObject({
      code: "options/invalid",
      message: expect.stringContaining("between 0 and 1"),
    });
    await expect(bench({ ...options, runs: 2 }, door(project))).rejects.toMatchObject({
      code: "bench/conflict",
    });
  });
});

describe("the last known good", () => {
  it("is kept on demand, and missed when the skill falls behind it", async () => {
    await using project = await greeters(6, HELPS);
    await assay([...BENCH, "--smoke", "--update-baseline"], { cwd: project.root });
    const file = await json<{ skills: { greeter: object[] } }>(project.path("assay-baseline.json"));
    expect(file.skills.greeter).toHaveLength(1);
    const same = await assay([...BENCH, "--smoke"], { cwd: project.root });
    expect(same.exitCode).toBe(0);
    await writeFile(project.path("script.json"), JSON.stringify({ replies: [{ steps: [{ text: "Bye" }] }] }));
    const fallen = await assay([...BENCH, "--smoke"], { cwd: project.root });
    expect(fallen.out).toContain("FAILED last known good");
    expect(fallen.exitCode).toBe(1);
    const against = await assay([...BENCH, "--smoke", "--baseline-iteration", "3"], { cwd: project.root });
    expect(against.exitCode).toBe(0);
    const nowhere = await assay([...BENCH, "--smoke", "--baseline-iteration", "99"], { cwd: project.root });
    expect(nowhere.err).toContain("greeter has no iteration-99");
    expect(nowhere.exitCode).toBe(2);
    expect(existsSync(project.path(".assay/greeter/iteration-5"))).toBe(false);
  });

  it("is missed in the files as on the terminal and in the exit code", async () => {
    await using project = await greeters(5, HELPS);
    await assay([...BENCH, "--smoke"], { cwd: project.root });
    await writeFile(project.path("script.json"), JSON.stringify({ replies: [{ steps: [{ text: "Bye" }] }] }));
    const words = [...BENCH, "--smoke", "--baseline-iteration", "1", "--max-drop", ".1"];
    const { exitCode, out } = await assay(words, { cwd: project.root });
    expect(out).toContain("FAILED last known good");
    expect(exitCode).toBe(1);
    expect(await keptVerdicts(project, 2)).toEqual({ summary: "failed", trend: "failed" });
    const { gates } = await json<Summary>(project.path(".assay/greeter/iteration-2/summary.json"));
    expect(gates.filter(({ met }) => !met).map(({ name }) => name)).toEqual(["last known good"]);
  });
});

/** What the files say of an iteration of the greeter. */
async function keptVerdicts(project: TempTree, number: number) {
  const { verdict } = await json<Summary>(project.path(`.assay/greeter/iteration-${number}/summary.json`));
  const lines = await readTrend(project.path(".assay/greeter/trend.jsonl"));
  return { summary: verdict, trend: lines.find(({ iteration }) => iteration === number)?.verdict };
}

async function said(project: TempTree): Promise<Record<string, string>> {
  const folder = project.path(".assay/greeter/iteration-1/eval-1");
  const arms = (await readdir(folder)).filter((name) => name.endsWith("_skill"));
  const texts = await Promise.all(
    arms.map((arm) => readFile(join(folder, arm, "run-1/outputs/said.txt"), "utf8")),
  );
  return Object.fromEntries(arms.map((arm, at) => [arm, texts[at] ?? ""]));
}
