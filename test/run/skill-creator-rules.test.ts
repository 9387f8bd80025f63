import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { BenchmarkFile } from "../../src/report/benchmark/benchmark-file.ts";
import type { EvalMetadataFile } from "../../src/store/write/eval-metadata.ts";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELLO, HELPS, json } from "../support/greeters.ts";
import { ruleProblems } from "../support/skill-creator-rules.ts";
import { tempTree } from "../support/temp-tree.ts";

const says = (needle: string) => ({ assay: { checks: [{ type: "contains", needle }] } });

function evals(...ids: readonly (string | number)[]): Readonly<Record<string, string>> {
  const all = ids.map((id) => ({ id, prompt: `Greet ${id}.`, ...says("Hello") }));
  return { "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals: all }) };
}

const JUDGED = {
  "skills/greeter/evals/evals.json": JSON.stringify({
    skill_name: "greeter",
    evals: [
      { id: 1, prompt: "Greet one.", expectations: ["It is polite"], ...says("Hello") },
      { id: 2, prompt: "Greet two.", expectations: ["It is polite"] },
    ],
  }),
};

/** The scripted agent tells no tokens. */
const SITUATIONS: Readonly<Record<string, readonly [replies: readonly object[], extra: object]>> = {
  "unknown tokens": [HELPS, {}],
  "a dead arm": [[{ steps: HELLO }], {}],
  "two dead arms": [[{ steps: [{ exit: 3 }] }], {}],
  "string ids": [HELPS, evals("intro", "outro")],
  "mixed ids": [HELPS, evals("intro", 7)],
  "unscored checks": [HELPS, JUDGED],
};

describe("skill-creator's aggregator, viewer and validator are content with an iteration of", () => {
  it.each(Object.entries(SITUATIONS))("%s", async (_name, [replies, extra]) => {
    await using project = await greeters(2, replies, { ...extra });
    await assay([...BENCH, "--smoke"], { cwd: project.root });
    expect(await ruleProblems(project.path(".assay/greeter/iteration-1"))).toEqual([]);
  });
});

it("what is unknown is null, and never a number", async () => {
  await using project = await greeters(1, [{ steps: HELLO }]);
  await assay([...BENCH, "--smoke"], { cwd: project.root });
  const { run_summary: summary } = await json<BenchmarkFile>(
    project.path(".assay/greeter/iteration-1/benchmark.json"),
  );
  expect(summary).toEqual({
    with_skill: { pass_rate: expect.anything(), time_seconds: expect.anything(), tokens: null },
    without_skill: { pass_rate: null, time_seconds: null, tokens: null },
    delta: { pass_rate: null, time_seconds: null, tokens: null },
  });
});

it("a declared number stays, also where only some cases are run", async () => {
  await using project = await greeters(0, HELPS, evals("intro", 7, "outro"));
  await assay([...BENCH, "--smoke"], { cwd: project.root });
  await assay([...BENCH, "--smoke", "--case", "outro,7"], { cwd: project.root });
  const ids = async (number: number) => {
    const root = project.path(`.assay/greeter/iteration-${number}`);
    const folders = (await readdir(root)).filter((name) => name.startsWith("eval-")).toSorted();
    const files = folders.map((name) => json<EvalMetadataFile>(`${root}/${name}/eval_metadata.json`));
    return Object.fromEntries((await Promise.all(files)).map((file) => [file.id, file.eval_id]));
  };
  expect(await ids(1)).toEqual({ "7": 7, intro: 8, outro: 9 });
  expect(await ids(2)).toEqual({ "7": 7, outro: 9 });
});

/** Each of them is held to what the command writes, by tests of its own. */
const KEPT = [
  "conventional-comments-tie",
  "csv-report-files",
  "csv-report-iterations",
  "csv-report-runs",
  "release-notes-versions",
];

it.each(KEPT)("comparisons keep the rules: %s", async (name) => {
  const root = fileURLToPath(new URL(`../compare/fixtures/${name}`, import.meta.url));
  expect(await ruleProblems(root)).toEqual([]);
});

it("the history of a skill keeps the rules", async () => {
  const root = fileURLToPath(new URL("../improve/fixtures/golden/rounds", import.meta.url));
  expect(await ruleProblems(root)).toEqual([]);
});

it("a file that breaks them is found out", async () => {
  await using tree = await tempTree({
    "benchmark.json": JSON.stringify({
      metadata: {},
      runs: [{ eval_id: "x" }],
      run_summary: { with_skill: {} },
    }),
    "comparison-2.json": JSON.stringify({ winner: "v2" }),
    "eval-1/with_skill/run-x/outputs/a.txt": "",
  });
  const problems = (await ruleProblems(tree.root)).join("\n");
  for (const place of [
    "metadata.skill_name is a text",
    "runs.0.eval_id is a whole number",
    "run_summary.with_skill.tokens is there",
    "winner is A, B or TIE",
    "comparison-1.json is missing",
    "eval-1 has no metadata",
    "run-x has no number",
  ])
    expect(problems).toContain(place);
});
