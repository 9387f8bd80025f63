import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELLO, HELPS, SKILL } from "../support/greeters.ts";
import { journal } from "../support/project.ts";

describe("runs of a benchmark", { timeout: 60_000 }, () => {
  it("stops adding runs once the verdict is clear", async () => {
    await using project = await greeters(8, HELPS);
    const { out } = await assay([...BENCH, "--adaptive", "--runs", "4"], { cwd: project.root });
    expect(out).toContain(
      "adaptive: decided after 2 of 4 runs of each case on each side (look 1 of 2): 32 runs in place of 64",
    );
    expect(out).toContain("greeter: better");
  });

  it("goes on while the verdict is open, and says that it stayed so", async () => {
    await using project = await greeters(1, HELPS);
    const { out } = await assay([...BENCH, "--adaptive", "--runs", "4"], { cwd: project.root });
    expect(out).toMatch(
      /adaptive: .* after \d of 4 runs of each case on each side \(.*\): \d runs in place of 8/,
    );
  });

  it.each([
    ["every agent crashes", [{ steps: [{ exit: 3 }] }], "no run finished"],
    [
      "the baseline passes everything",
      [{ when: { skill: true }, steps: HELLO }, { steps: [{ text: "Hello" }] }],
      "every check passes without the skill too",
    ],
  ])("pays for no more of them when %s", async (_name, replies, reason) => {
    await using project = await greeters(2, replies);
    const { out } = await assay([...BENCH, "--adaptive"], { cwd: project.root });
    expect(out).toContain(`adaptive: stopped, because ${reason}`);
    expect(out).toContain("after 2 of 8 runs of each case on each side (look 1 of 4): 8 runs in place of 32");
  });

  it("says before it runs that --smoke cannot decide anything with so few cases", async () => {
    await using project = await greeters(3, HELPS);
    const { err, out } = await assay([...BENCH, "--smoke"], { cwd: project.root });
    const note = "greeter: 1 run of 3 cases in each arm cannot decide whether it helps; --runs 3 can";
    expect(err.indexOf(note)).toBeGreaterThanOrEqual(0);
    expect(err.indexOf(note)).toBeLessThan(err.indexOf("6 trials"));
    expect(out).toContain("So few runs cannot show any difference.");
    const usual = await assay(BENCH, { cwd: project.root });
    expect(usual.err).not.toContain("cannot decide");
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
    expect(out).toContain("without_skill: 1 of 1 runs were reused");
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
    expect(fresh.out).not.toContain("were reused");
    const evals = await readFile(project.path("skills/greeter/evals/evals.json"), "utf8");
    await writeFile(project.path("skills/greeter/evals/evals.json"), evals.replace("number 1", "number one"));
    expect(await reused()).toEqual([0, 0]);
  });

  it.each([
    [["--aa", "--inline"], "--aa runs the same side twice"],
    [["--smoke", "--runs", "4"], "each set how often to run"],
    [["--smoke", "--reliable"], "each set how often to run"],
    [["--mode", "trigger"], "a trigger query has no second arm"],
  ])("refuses %j", async (words, message) => {
    await using project = await greeters(1, HELPS);
    const { exitCode, err } = await assay([...BENCH, ...words], { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
  });
});

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
