import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Iteration } from "../../src/domain/iteration.ts";
import type { Summary } from "../../src/domain/summary.ts";
import type { BenchmarkFile } from "../../src/report/benchmark/benchmark-file.ts";
import type { GradingFile } from "../../src/store/write/grading.ts";
import type { TimingFile } from "../../src/store/write/timing.ts";
import { assay } from "../support/command-line.ts";
import { json } from "../support/greeters.ts";
import { assayOnExample } from "../support/run-example.ts";
import { tempTree } from "../support/temp-tree.ts";

describe("assay bench on an example", () => {
  it("writes a workspace that skill-creator's tools read, with the figures that they compute", async () => {
    await using results = await tempTree();
    const { exitCode, out } = await assayOnExample("csv-report", ["bench"], { workspace: results.root });
    expect(exitCode).toBe(0);
    expect(out).toContain("better, with the skill against without it");
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
      "| Pass rate | 100 % by case, 95 % interval 34 to 100 %, 2 cases (27 of 27 checks, 3 not compared) | 7 % by case",
    );
    await everyRunIsReadable(folder);

    const again = await assayOnExample("csv-report", ["bench"], { workspace: results.root });
    expect(again.out).toContain("without_skill: 6 of 6 runs were reused from an earlier iteration");
    const second = await json<BenchmarkFile>(results.path("csv-report/iteration-2/benchmark.json"));
    expect(second.run_summary["without_skill"]).toEqual(file.run_summary["without_skill"]);
    expect(second.statistics.arms.map((arm) => arm.reused)).toEqual([0, 6]);
    expect(again.out).toMatch(/^ {2}saved by reusing 6 earlier baseline runs: [\d,]+ tokens in, .*\$/m);
    const [before, after] = [
      await json<Summary>(join(folder, "summary.json")),
      await json<Summary>(results.path("csv-report/iteration-2/summary.json")),
    ];
    expect(before.spending.reused).toMatchObject({ runs: 0, durationMs: 0 });
    const { reused } = after.spending;
    expect(reused.runs).toBe(6);
    expect(reused.usage.inputTokens).toBeGreaterThan(0);
    expect(reused.durationMs).toBeGreaterThan(0);
    expect(after.usage.outputTokens).toBe(
      (before.usage.outputTokens ?? 0) - (reused.usage.outputTokens ?? 0),
    );
    const trend = await assay(["trend", "csv-report", "--workspace", results.root], { cwd: results.root });
    expect(trend.out).toMatch(/csv-report {2}pass_rate {2}██/);
    expect(trend.out).toMatch(/better, \+93 \(\+\d+ to \+\d+\)/);
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
      seconds: timing.total_duration_seconds ?? 0,
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
