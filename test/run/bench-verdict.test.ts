import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Summary } from "../../src/domain/summary.ts";
import type { BenchmarkFile } from "../../src/report/benchmark/benchmark-file.ts";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELPS, HURTS, json, keptVerdicts, OBEYS, SKILL } from "../support/greeters.ts";

describe("the verdict of a benchmark", { timeout: 60_000 }, () => {
  it("finds a skill that helps, and keeps the group and how it was compared", async () => {
    await using project = await greeters(6, HELPS);
    const { exitCode, out } = await assay([...BENCH, "--smoke"], { cwd: project.root });
    expect(out).toContain("greeter: better, with the skill against without it");
    expect(exitCode).toBe(0);
    const manifest = await json<{ group: string; options: { bench: object } }>(
      project.path(".assay/greeter/iteration-1/run.json"),
    );
    expect(manifest.group).toMatch(/^bench-/);
    expect(manifest.options.bench).toMatchObject({ alpha: 0.05, arms: ["with_skill", "without_skill"] });
  });

  it("is refused before anything runs where no case has a check", async () => {
    const evals = [1, 2].map((id) => ({ id, prompt: `Greet number ${id}.`, expectations: [] }));
    await using project = await greeters(2, HELPS, {
      "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
    });
    const { exitCode, err } = await assay(BENCH, { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toContain("greeter has no check that applies to both sides, so there is nothing to compare");
    expect(err).toContain("assay propose");
    expect(existsSync(project.path(".assay/greeter"))).toBe(false);
    const ungraded = await assay([...BENCH, "--no-grade"], { cwd: project.root });
    expect(ungraded.err).toContain("12 trials");
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
    expect(out).toContain("greeter: WORSE, the new version against the old one");
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

  it("shows the lifts of a matrix side by side", async () => {
    await using project = await greeters(6, HELPS);
    const { out, exitCode } = await assay([...BENCH, "--smoke", "--model", "a,b"], { cwd: project.root });
    expect(out).toMatch(/greeter {2}scripted {2}a .*\+100 .*0\.031.*0\.031.*better/);
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
