import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { BenchmarkFile } from "../../src/report/benchmark/benchmark-file.ts";
import { assay } from "../support/command-line.ts";
import { tempTree } from "../support/temp-tree.ts";

const GREETS = { type: "contains", needle: "Hello" };

/** Three cases, each asking for "Hello", benchmarked with an agent that plays this script. */
async function benched(
  replies: readonly object[],
  { checks = [GREETS], args = [] }: { checks?: readonly object[]; args?: readonly string[] } = {},
) {
  const evals = [1, 2, 3].map((id) => ({
    id,
    prompt: `Greet number ${id}.`,
    assay: { checks },
  }));
  await using project = await tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people.\n---\n\nSay Hello.\n",
    "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
    "script.json": JSON.stringify({ replies }),
  });
  const words = ["bench", "skills/greeter", "--harness", "scripted", "--script", "script.json"];
  const { out, exitCode } = await assay([...words, ...args], { cwd: project.root });
  const read = (name: string) => readFile(project.path(`.assay/greeter/iteration-1/${name}`), "utf8");
  const file = JSON.parse(await read("benchmark.json")) as BenchmarkFile;
  return { out, exitCode, file, text: await read("benchmark.md") };
}

const LOAD = { skill: "greeter" };

it("shows crashes beside the rate and raises an alarm in place of advice", async () => {
  const crash = { exit: 139 };
  const { out, file, text } = await benched([
    { when: { skill: true }, steps: [LOAD, crash] },
    { steps: [{ text: "Hello" }] },
  ]);
  expect(out).toContain("with_skill: checks passed 0 of 9 (0 % by case, 95 % interval 0 to 56 %, 3 cases)");
  expect(out).toContain("9 of 9 trials counted, skill loaded in 9; 9 crashed");
  expect(out).toContain("ALARM: no with_skill run finished (9 crashed)");
  expect(out).toMatch(/^ {2}Fix the setup first: no with_skill run finished \(9 crashed\)/m);
  expect(out).not.toMatch(/are needed to say more|runs of each case/);
  expect(file.statistics.arms[0]).toMatchObject({ arm: "with_skill", brokeOff: { crashed: 9 }, loaded: 9 });
  expect(file.statistics.alarms.join()).toContain("9 crashed");
  expect(file.runs[0]?.notes.join()).toContain("crashed: ");
  expect(text).toContain("**ALARM**: no with_skill run finished (9 crashed)");
  expect(text).toContain("9 of 9 trials counted, skill loaded in 9; 9 crashed");
});

it("raises an alarm where the skill is never loaded, however good the result", async () => {
  const { out, exitCode, file } = await benched([
    { when: { skill: true }, steps: [{ text: "Hello" }] },
    { steps: [{ text: "Bye" }] },
  ]);
  expect(out).toContain("ALARM: the skill was never loaded in 9 with_skill runs");
  expect(out).toContain("9 of 9 trials counted, skill loaded in 0");
  expect(file.statistics.decision?.action).toBe("fix first");
  expect(exitCode).toBe(3);
  expect(out).toContain("greeter: NO VERDICT, with the skill against without it");
  expect(out).toMatch(/^ {2}No verdict on these 3 cases: 0 % -> 100 %/m);
  expect(file.statistics.verdict).toBe("invalid");
});

it("calls no skill better than a baseline that never ran", async () => {
  const { out, exitCode, file } = await benched([
    { when: { skill: true }, steps: [LOAD, { text: "Hello" }] },
    { steps: [{ exit: 3 }] },
  ]);
  expect(out).toMatch(/^ {2}Fix the setup first: no without_skill run finished \(9 crashed\)/m);
  expect(out).not.toMatch(/[Bb]etter/);
  expect(file.statistics.verdict).toBe("invalid");
  expect(exitCode).toBe(3);
});

it("says once that every run crashed, why, and where to look", async () => {
  const { out, exitCode } = await benched([{ steps: [{ exit: 3 }] }]);
  expect(out).toMatch(
    /ALARM: no run finished \(with_skill: 9 crashed; without_skill: 9 crashed\).*the first said: /,
  );
  expect(out.match(/ALARM/g)).toHaveLength(1);
  expect(out).toContain("greeter: NO VERDICT");
  expect(out).not.toMatch(/results are missing|too hard|not seen to be loaded/);
  expect(out).toMatch(/^ {2}Next: assay show 1$/m);
  expect(exitCode).toBe(3);
});

it("says first what to do, and what repeated runs come to", async () => {
  const { out, text } = await benched([
    { when: { skill: true }, steps: [LOAD, { text: "Hello" }] },
    { steps: [{ text: "Bye" }] },
  ]);
  expect(out).toContain(
    "\n\ngreeter: better, with the skill against without it\n  Ship it: it does better on these cases.\n",
  );
  expect(out).toMatch(/^ {4}case +without +with +points +time\/run\n {4}\S+ +0 % +100 % +\+100 /m);
  expect(out).toMatch(/3 runs of a case: at least one passes 100 % \(pass@3, .*\), all pass 100 % \(pass\^3/);
  expect(text.split("\n")[2]).toBe("**Ship it: it does better on these cases.**");
});

it("says how many runs to add where so few cannot decide", async () => {
  const { out, file } = await benched(
    [{ when: { skill: true }, steps: [LOAD, { text: "Hello" }] }, { steps: [{ text: "Bye" }] }],
    { args: ["--smoke"] },
  );
  const { decision } = file.statistics;
  expect(decision).toMatchObject({ action: "add runs" });
  expect(out).toContain(`(${decision?.moreRuns} runs in all`);
});

it("counts the same checks beside the verdict as in it", async () => {
  const own = { type: "contains", needle: "Goodbye", applies_to: "with-skill" };
  const { out, text, file } = await benched(
    [{ when: { skill: true }, steps: [LOAD, { text: "Hello" }] }, { steps: [{ text: "Bye" }] }],
    { checks: [GREETS, own] },
  );
  expect(out).toContain("Better on these 3 cases: 0 % -> 100 % (+100 points");
  expect(out).toContain(
    "with_skill: checks passed 9 of 9 (100 % by case, 95 % interval 44 to 100 %, 3 cases), 9 not compared; 9 of 9 trials",
  );
  expect(out).toMatch(/with_skill: .*\n.*all pass 100 % \(pass\^3/);
  expect(text).toMatch(/\| Pass rate \| 100 % by case.*9 of 9 checks, 9 not compared.*\| \+100 points \|/);
  expect(file.statistics.arms[0]?.compared).toMatchObject({
    checks: { passed: 9, total: 9, rate: 1 },
    leftOut: 9,
  });
});
