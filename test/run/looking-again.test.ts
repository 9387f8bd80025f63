import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { BenchmarkFile } from "../../src/report/benchmark/benchmark-file.ts";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELLO, HURTS, json, SKILL } from "../support/greeters.ts";

/** The skill helps in the first case; the second passes in both arms. So p is 2/20, 2/70 and 2/924 after 3, 4 and 6 runs. */
const HELPS_ONCE = [
  { when: { skill: true }, steps: HELLO },
  { when: { prompt: "number 2" }, steps: [{ text: "Hello" }] },
  { steps: [{ text: "Bye" }] },
];

async function looks(...words: readonly string[][]) {
  const project = await greeters(2, HELPS_ONCE);
  const outs: string[] = [];
  for (const one of words) outs.push((await assay([...BENCH, ...one], { cwd: project.root })).out);
  const passRate = async () => {
    const file = await json<BenchmarkFile>(project.path(".assay/greeter/iteration-1/benchmark.json"));
    return file.statistics.comparisons[0]?.passRate;
  };
  return { project, outs, passRate };
}

it("demands more of each result that is looked at before runs are added", { timeout: 120_000 }, async () => {
  const { project, outs, passRate } = await looks(
    ["--runs", "3"],
    ["--runs", "4", "--resume"],
    ["--runs", "6", "--resume"],
  );
  await using _ = project;
  const [first = "", second = "", third = ""] = outs;
  expect(first).toContain("Undecided on these 2 cases");
  expect(first).not.toContain("look");
  expect(second).toContain("greeter: underpowered");
  expect(second).toContain("99.5 % interval");
  expect(second).toContain("p = 0.029). This is look 2 at these runs, so p must be at most 0.005.");
  expect(third).toContain("greeter: better");
  expect(third).toContain("This is look 3 at these runs, so p must be at most 0.0025.");
  expect(await passRate()).toMatchObject({ look: 3, alpha: 0.0025, pValue: 2 / 924 });
  const { out } = await assay(["trend", "--metric", "lift"], { cwd: project.root });
  expect(out).toMatch(/\+\d+ to \+\d+ \(99\.75 %\) +better, \+50 \(\+\d+ to \+\d+, 99\.75 %\)/);
});

it.each([
  ["nobody looked before", [["--runs", "4"]]],
  ["the first result could not have decided anything", [["--smoke"], ["--runs", "4", "--resume"]]],
  [
    "nothing was added",
    [
      ["--runs", "4"],
      ["--runs", "4", "--resume"],
    ],
  ],
])("asks for no more where %s", { timeout: 120_000 }, async (_name, words) => {
  const { project, outs, passRate } = await looks(...words);
  await using _ = project;
  expect(outs.at(-1)).toContain("greeter: better");
  expect(outs.at(-1)).not.toContain("look");
  expect(await passRate()).toMatchObject({ alpha: 0.05, pValue: 2 / 70 });
});

it.each([
  ["fewer runs", ["--runs", "3", "--resume"], "--runs 4 or more continues with all of them"],
  ["looks that may stop early", ["--runs", "4", "--adaptive", "--resume"], "leave --adaptive out"],
])("never makes a finding undone by going on with %s", { timeout: 120_000 }, async (_name, words, hint) => {
  await using project = await greeters(1, HURTS);
  const first = await assay([...BENCH, "--runs", "4"], { cwd: project.root });
  expect(first.exitCode).toBe(1);
  const { err, exitCode } = await assay([...BENCH, ...words], { cwd: project.root });
  expect(exitCode).toBe(2);
  expect(err).toContain("iteration-1 has 4 runs of each case");
  expect(err).toContain(hint);
  const shown = await assay(["show"], { cwd: project.root });
  expect(shown.out).toContain("greeter: WORSE");
});

it("begins to count anew when the skill is another", { timeout: 120_000 }, async () => {
  const { project } = await looks(["--runs", "3"]);
  await using _ = project;
  await writeFile(project.path("skills/greeter/SKILL.md"), SKILL("Say Hello, warmly."));
  const { out } = await assay([...BENCH, "--runs", "4", "--resume"], { cwd: project.root });
  expect(out).toContain("greeter: better");
  expect(out).not.toContain("look");
});
