import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { EvalEvent } from "../../src/domain/event.ts";
import type { Summary } from "../../src/domain/summary.ts";
import type { GradingFile } from "../../src/store/write/grading.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { type JudgedProject, judgedProject } from "../support/judged-project.ts";

const EVALS = "skills/unit-table/evals/evals.json";
const RUN_1 = ".assay/unit-table/iteration-1/eval-1-lengths/with_skill/run-1";
const SUMMARY = ".assay/unit-table/iteration-1/summary.json";

interface EvalsFile {
  evals: { prompt: string; expectations: string[]; assay?: { checks: object[] } }[];
}

async function ranProject(): Promise<JudgedProject> {
  const project = await judgedProject("skill-creator");
  await project.run("skills/unit-table");
  return project;
}

async function changeEvals(project: JudgedProject, change: (file: EvalsFile) => void): Promise<void> {
  const file = await project.json<EvalsFile>(EVALS);
  change(file);
  await writeFile(project.path(EVALS), JSON.stringify(file));
}

async function journal(project: JudgedProject): Promise<EvalEvent[]> {
  const text = await readFile(project.path(".assay/unit-table/iteration-1/journal.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as EvalEvent);
}

const texts = async (project: JudgedProject) =>
  (await project.json<GradingFile>(`${RUN_1}/grading.json`)).expectations.map(({ text }) => text);

describe("assay grade", () => {
  it("takes the newest iteration, runs nothing, and asks no judge what it has answered", async () => {
    await using project = await ranProject();
    const asked = project.sim.requests.length;
    const before = await journal(project);
    const again = await project.assay("grade");
    expect(again.out).toContain("unit-table: FAILED");
    expect(again).toMatchObject({ exitCode: 1 });
    expect(project.sim.requests).toHaveLength(asked);
    const added = (await journal(project)).slice(before.length).map(({ kind }) => kind);
    expect(added).toEqual([
      "iteration-started",
      "verdicts-recorded",
      "verdicts-recorded",
      "iteration-finished",
    ]);
    expect(await readdir(project.path(".assay/unit-table"))).not.toContain("iteration-2");
  });

  it("asks again with --no-cache", async () => {
    await using project = await ranProject();
    const asked = project.sim.requests.length;
    await project.assay("grade", "--no-cache");
    expect(project.sim.requests).toHaveLength(2 * asked);
  });

  it("holds the runs to the checks as they are now, and with --as-run to those they were run with", async () => {
    await using project = await ranProject();
    const asRun = await texts(project);
    await changeEvals(project, ({ evals }) => {
      evals[0]!.expectations = ["The answer names the units that were converted"];
      evals[0]!.assay!.checks = [{ type: "contains", needle: "furlong" }];
      evals[1]!.expectations = ["The answer says that smoot is not a known unit"];
    });
    const now = await project.assay("grade", "unit-table");
    expect(now.out).toContain('contains "furlong"');
    expect(await texts(project)).toEqual([
      "The answer names the units that were converted",
      'the output contains "furlong"',
    ]);
    const { missing, gates } = await project.json<Summary>(SUMMARY);
    expect(missing).toMatchObject({ notRun: 0, unscoredChecks: 0, ungradedCases: 0 });
    expect(gates.map(({ caseId, met }) => [caseId, met])).toEqual([
      ["1", false],
      ["2", true],
    ]);
    await project.assay("grade", "unit-table", "--as-run");
    expect(await texts(project)).toEqual(asRun);
  });

  it("keeps the thresholds of the checks it graded by in the summary", async () => {
    await using project = await ranProject();
    expect(await project.assay("grade", "--min-pass-rate", "0.5")).toMatchObject({ exitCode: 0 });
    expect(await project.json<Summary>(SUMMARY)).toMatchObject({ verdict: "passed" });
  });

  it("says when a prompt has changed, a case has gone or the files have moved", async () => {
    await using project = await ranProject();
    await changeEvals(project, ({ evals }) => {
      evals[0]!.prompt = "Convert lengths.csv to metres.";
      evals.splice(1, 1);
    });
    const changed = await project.assay("grade");
    expect(changed.err).toContain("the prompt of 1 has changed since it was run");
    expect(changed.err).toContain("2 is no longer in the eval files");
    await rm(project.path(EVALS));
    const moved = await project.assay("grade");
    expect(moved.err).toContain("the eval files were not found");
    expect(moved).toMatchObject({ exitCode: 1 });
  });

  it("refuses broken eval files and points at --as-run", async () => {
    await using project = await ranProject();
    const before = await journal(project);
    await writeFile(project.path(EVALS), "{");
    const refused = await project.assay("grade");
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.err).toContain("--as-run");
    expect(await journal(project)).toEqual(before);
  });

  it("tries single checks with --only, and keeps nothing of it", async () => {
    await using project = await ranProject();
    const before = await journal(project);
    const tried = await project.assay("grade", "--only", "UNITS THAT", "--only", "smoot");
    expect(tried.out).toContain(
      "eval-1-lengths/with_skill/run-1: 1 of 1 checks passed; judged by claude-sonnet-4-6",
    );
    expect(tried.out).toContain("eval-2-unknown-unit/with_skill/run-1: 1 of 1 checks passed");
    expect(tried).toMatchObject({ exitCode: 0 });
    const failing = await project.assay("grade", "--only", "No out.csv", "--json");
    expect(failing).toMatchObject({ exitCode: 1 });
    expect(JSON.parse(failing.out)).toMatchObject({
      runs: [{ caseId: "2", meetsGate: false, verdicts: [{ status: "failed" }] }],
    });
    expect(await journal(project)).toEqual(before);
    const none = await project.assay("grade", "--only", "flying");
    expect(none).toMatchObject({ exitCode: 2 });
    expect(none.err).toContain("expectation-1");
  });

  it("grades only the runs of named cases; the others keep their verdicts", async () => {
    await using project = await ranProject();
    const asked = project.sim.requests.length;
    const one = await project.assay("grade", "--case", "2", "--no-cache");
    expect(one).toMatchObject({ exitCode: 1 });
    expect(project.sim.requests).toHaveLength(asked + 1);
    expect(await texts(project)).toHaveLength(6);
    expect(await project.json<Summary>(SUMMARY)).toMatchObject({ missing: { unscoredChecks: 0, notRun: 0 } });
    const none = await project.assay("grade", "--case", "9");
    expect(none).toMatchObject({ exitCode: 2 });
    expect(none.err).toContain("it has 1, 2");
  });

  it("removes an assertions.json that no longer holds anything", async () => {
    await using project = await ranProject();
    expect(await readdir(project.path(RUN_1))).toContain("assertions.json");
    await changeEvals(project, ({ evals }) => delete evals[0]!.assay);
    await project.assay("grade");
    expect(await readdir(project.path(RUN_1))).not.toContain("assertions.json");
  });

  it.each([
    ["a grading", []],
    ["a trial of checks", ["--only", "units"]],
  ])("keeps the earlier verdicts when %s is interrupted, and says so by its exit code", async (_, only) => {
    await using project = await ranProject();
    const slow = { rules: [{ fault: { delayMs: 60_000 }, reply: "late" }] };
    await using sim = await startSim(parseScript(JSON.stringify(slow)));
    const env = { PATH: "/usr/bin:/bin", ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "not-a-real-key" };
    const before = await project.json<Summary>(SUMMARY);
    const grading = assay(["grade", "--no-cache", ...only], { cwd: project.root, env });
    await vi.waitUntil(() => sim.requests.length > 0, { timeout: 10_000 });
    process.emit("SIGINT");
    expect(await grading).toMatchObject({ exitCode: 130 });
    expect((await journal(project)).at(-1)).toMatchObject({
      kind: "iteration-finished",
      ended: only.length === 0 ? "interrupted" : "complete",
    });
    const { verdict, variants } = await project.json<Summary>(SUMMARY);
    expect({ verdict, variants }).toEqual({ verdict: before.verdict, variants: before.variants });
  });

  it("leaves the iteration to one at a time", async () => {
    await using project = await ranProject();
    const lock = project.path(".assay/unit-table/iteration-1/runner.lock");
    const { acquireLock } = await import("../../src/lib/file-lock.ts");
    const held = await acquireLock(lock);
    const refused = await project.assay("grade");
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.err).toContain("store/locked");
    if (held.acquired) await held.lock.release();
  });

  it("grades what was only run, and refuses where there is nothing", async () => {
    await using project = await judgedProject("skill-creator");
    const nothing = await project.assay("grade");
    expect(nothing).toMatchObject({ exitCode: 2 });
    expect(nothing.err).toContain("store/no-iteration");
    await project.run("skills/unit-table", "--no-grade");
    expect(project.sim.requests).toHaveLength(0);
    expect(await project.assay("grade", join(".assay", "unit-table", "iteration-1"))).toMatchObject({
      exitCode: 1,
    });
    expect(project.sim.requests).toHaveLength(2);
  });
});
