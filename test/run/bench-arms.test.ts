import { describe, expect, it } from "vitest";
import type { BenchmarkFile } from "../../src/report/benchmark/benchmark-file.ts";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELPS, json } from "../support/greeters.ts";
import { journal } from "../support/project.ts";
import { tempTree } from "../support/temp-tree.ts";

describe("arms of a benchmark", { timeout: 120_000 }, () => {
  it("puts the skill's text into the prompt as an iteration of its own in the group", async () => {
    await using project = await greeters(1, [
      { when: { prompt: "Say Hello." }, steps: [{ text: "Hello" }] },
      ...HELPS,
    ]);
    const { out } = await assay([...BENCH, "--smoke", "--inline"], { cwd: project.root });
    expect(out).toContain("with its text in the prompt against without it");
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
    const { out, exitCode } = await assay([...BENCH, "--aa"], { cwd: project.root });
    expect(out).toContain("greeter: the same side twice, odd runs against even runs");
    expect(out).toContain(
      "  Go on: all runs of a case gave the same result, so chance hides next to nothing here.",
    );
    expect(out).toContain("Odd and even runs do not differ beyond chance (p = 1.000)");
    expect((await journal(project.root)).filter((event) => event.kind === "trial-finished")).toHaveLength(12);
    expect(exitCode).toBe(0);
    const { out: trend } = await assay(["trend"], { cwd: project.root });
    expect(trend).toContain("no gate");
    expect(trend).not.toContain("ungraded");
  });

  it("does not say that one arm is like itself where so few runs could not have shown otherwise", async () => {
    await using project = await greeters(2, HELPS);
    const { out, err } = await assay([...BENCH, "--aa", "--runs", "1"], { cwd: project.root });
    expect(err).toContain("1 run of 2 cases in each half cannot separate chance from order; --runs 3 can");
    expect(out).toContain("  Add runs: so few cannot show whether odd and even ones differ; --runs 3 can.");
    expect(out).not.toMatch(/go on|beyond chance|saturated/i);
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
    expect(err).toContain("so there is only one side");
  });
});
