import { cp, readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { Iteration } from "../../src/domain/iteration.ts";
import { agentScript, comparingProject, skillText, WARM } from "../compare/comparing-project.ts";
import { assay } from "../support/command-line.ts";
import { comparisonReplyOf } from "../support/comparing.ts";
import { BENCH, greeters, HELPS } from "../support/greeters.ts";

const JUDGE = [
  { name: "tie", when: { system: "compare two outputs" }, reply: { json: comparisonReplyOf(3, 3) } },
];

/** The skill was run and does well; then two drafts of it that both do badly were compared. */
async function comparedSince() {
  const project = await comparingProject(JUDGE);
  await project.run(WARM);
  for (const draft of ["one", "two"]) {
    await cp(project.path("skills/greeter"), project.path(`drafts/${draft}/greeter`), { recursive: true });
    await writeFile(project.path(`drafts/${draft}/greeter/SKILL.md`), skillText(`Draft ${draft}.`));
  }
  await writeFile(project.path("bad.json"), agentScript({ Ada: "no", Bob: "no" }));
  const drafts = ["drafts/one/greeter", "drafts/two/greeter", "--skill", "skills/greeter"];
  const agent = ["--harness", "scripted", "--script", "bad.json"];
  const compared = await project.assay("compare", ...drafts, ...agent, "--runs", "3");
  expect(compared.err).toContain("12 trials");
  return project;
}

it("lets only runs and benchmarks of the installed skill speak for it", async () => {
  await using project = await comparedSince();
  const purposeOf = async (number: number) =>
    (await project.json<Iteration>(`.assay/greeter/iteration-${number}/run.json`)).purpose;
  expect([await purposeOf(1), await purposeOf(2)]).toEqual(["run", "compare"]);
  const trend = await project.assay("trend", "greeter");
  expect(trend.out).toMatch(/^ +1 .*100 %/m);
  expect(trend.out).not.toMatch(/^ +2 /m);
  expect((await project.assay("trend", "greeter", "--badge")).out).toContain('"color":"brightgreen"');
  expect((await project.assay("show", "greeter")).out).toContain("greeter iteration-1, 1/with_skill/run-1");
  expect((await project.assay("show", "1")).out).toContain("greeter iteration-1, 1/with_skill/run-1");
  expect((await project.assay("show", "greeter@2")).out).toContain("greeter iteration-2");
  const suggested = await project.assay("improve", "skills/greeter", "--suggest");
  expect(suggested.out + suggested.err).toContain("iteration-1");
  expect(suggested.out + suggested.err).not.toContain("iteration-2");
});

it("reads what was written before iterations had a purpose", async () => {
  await using project = await comparedSince();
  for (const file of [
    "iteration-1/run.json",
    "iteration-2/run.json",
    "iteration-2/journal.jsonl",
    "trend.jsonl",
  ]) {
    const path = project.path(`.assay/greeter/${file}`);
    const text = await readFile(path, "utf8");
    expect(text).toContain('"purpose"');
    await writeFile(path, text.replaceAll(/"purpose": ?"[a-z-]+",\s*/g, ""));
  }
  const trend = await project.assay("trend", "greeter", "--json");
  const { iterations } = JSON.parse(trend.out) as { iterations: { iteration: number }[] };
  expect(iterations.map(({ iteration }) => iteration)).toEqual([1]);
  expect((await project.assay("show", "greeter")).out).toContain("greeter iteration-1");
});

it(
  "lets neither single cases nor --smoke pass for the skill's newest result",
  { timeout: 60_000 },
  async () => {
    await using project = await greeters(2, HELPS, {
      "bad.json": JSON.stringify({ replies: [{ steps: [{ skill: "greeter" }, { text: "Bye" }] }] }),
    });
    const command = async (...words: string[]) => assay(words, { cwd: project.root });
    const bad = ["skills/greeter", "--harness", "scripted", "--script", "bad.json"];
    await command(...BENCH);
    await command("run", ...bad, "--case", "1");
    await command("run", ...bad, "--filter", "number 2");
    await command("bench", ...bad, "--smoke");
    const { iterations } = JSON.parse((await command("trend", "greeter", "--json")).out) as {
      iterations: { iteration: number; partial?: true }[];
    };
    expect(iterations.map(({ iteration, partial = false }) => [iteration, partial])).toEqual([
      [1, false],
      [2, true],
      [3, true],
    ]);
    expect((await command("trend", "greeter", "--badge")).out).toContain("better on 2 cases, +100 points");
    expect((await command("show", "greeter")).out).toContain("greeter iteration-1,");
    // A run by its own name is the one that was just made.
    expect((await command("show", "1")).out).toContain("greeter iteration-4, 1/with_skill/run-1");
    const suggested = await command("improve", "skills/greeter", "--suggest");
    expect(suggested.out + suggested.err).toContain("iteration-1");
  },
);

it("says what counts where only a part of the skill was ever run", async () => {
  await using project = await greeters(2, HELPS);
  await assay(["run", ...BENCH.slice(1), "--case", "1"], { cwd: project.root });
  const trend = await assay(["trend", "greeter"], { cwd: project.root });
  expect(trend).toMatchObject({ exitCode: 0, out: expect.stringMatching(/only some cases *$/m) });
  const badge = await assay(["trend", "greeter", "--badge"], { cwd: project.root });
  expect(badge).toMatchObject({ exitCode: 2, err: expect.stringContaining("of some cases only (--case") });
  const suggested = await assay(["improve", "skills/greeter", "--suggest"], { cwd: project.root });
  expect(suggested).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("greeter was not run yet with all of its cases"),
  });
});
