import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Summary } from "../../src/domain/summary.ts";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELPS, json, keptVerdicts } from "../support/greeters.ts";

/** Loads the skill, and yet says what everybody says without it. */
const FALLEN = [
  { when: { skill: true }, steps: [{ skill: "greeter" }, { text: "Bye" }] },
  { steps: [{ text: "Bye" }] },
];

describe("the last known good", { timeout: 120_000 }, () => {
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

  it("is no result of which the report says that it is not the skill's", async () => {
    await using project = await greeters(3, [
      { when: { skill: true }, steps: [{ text: "Hello" }] },
      { steps: [{ text: "Bye" }] },
    ]);
    const { err } = await assay([...BENCH, "--smoke", "--update-baseline"], { cwd: project.root });
    expect(err).toMatch(/greeter is not kept as the last known good.* never loaded/);
    expect(existsSync(project.path("assay-baseline.json"))).toBe(false);
  });

  it("is none of what runs depend on: after it was kept, those of the baseline are reused", async () => {
    await using project = await greeters(2, HELPS);
    await assay([...BENCH, "--smoke", "--update-baseline"], { cwd: project.root });
    const { out } = await assay([...BENCH, "--smoke"], { cwd: project.root });
    expect(out).toContain("saved by reusing 2 earlier baseline runs");
  });

  it("is missed in the files as on the terminal and in the exit code", async () => {
    await using project = await greeters(5, HELPS);
    await assay([...BENCH, "--smoke"], { cwd: project.root });
    await writeFile(project.path("script.json"), JSON.stringify({ replies: FALLEN }));
    const words = [...BENCH, "--smoke", "--baseline-iteration", "1", "--max-drop", ".1"];
    const { exitCode, out } = await assay(words, { cwd: project.root });
    expect(out).toContain("FAILED last known good");
    expect(out).toContain("  Do not ship it: last known good failed.");
    expect(out).toMatch(
      /note: last known good: against iteration-1: .*100 % -> 0 % .*changed by -100 points and -10 are allowed, which chance alone rarely does \(p = 0\.031 for a fall as large\)/,
    );
    expect(exitCode).toBe(1);
    expect(await keptVerdicts(project, 2)).toEqual({ summary: "failed", trend: "failed" });
    const brief = await assay([...words, "-q"], { cwd: project.root });
    expect(brief.out).toMatch(
      /\n  last known good: against iteration-1: .*changed by -100 points and -10 are allowed/,
    );
    const { gates } = await json<Summary>(project.path(".assay/greeter/iteration-2/summary.json"));
    expect(gates.filter(({ met }) => !met).map(({ name }) => name)).toEqual(["last known good"]);
  });

  it("is said also where so few runs cannot confirm the drop, and whether a failed result was kept", async () => {
    await using project = await greeters(3, HELPS);
    await assay([...BENCH, "--smoke", "--update-baseline"], { cwd: project.root });
    await writeFile(project.path("script.json"), JSON.stringify({ replies: FALLEN }));
    const one = await assay([...BENCH, "--smoke", "--max-drop", ".1"], { cwd: project.root });
    expect(one.out).toContain("-10 are allowed, but with so few runs, chance does that too");
    expect(one.exitCode).toBe(0);
    const kept = await assay([...BENCH, "--baseline-iteration", "1", "--update-baseline"], {
      cwd: project.root,
    });
    expect(kept.err).toMatch(/was saved as the last known good in .*, although it failed/);
  });
});
