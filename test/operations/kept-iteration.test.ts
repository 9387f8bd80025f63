import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { leftOut } from "../../src/domain/left-out.ts";
import { secretMask } from "../../src/lib/secret-mask.ts";
import { keptRows } from "../../src/operations/rows/kept-rows.ts";
import type { ReadRow } from "../../src/operations/rows/row.ts";
import { openKeptIteration, type RunToKeep } from "../../src/operations/shared/kept-iteration.ts";
import { machineIn } from "../support/machine.ts";
import { tempTree } from "../support/temp-tree.ts";

const ROW: ReadRow = {
  case: "greets",
  prompt: null,
  output: "hello",
  pass: true,
  checks: [],
  variant: "with_skill",
  run: null,
  durationMs: 10,
  costUsd: 1,
  inputTokens: null,
  outputTokens: null,
  error: null,
  extras: {},
};
const AROUND = { at: "2026-01-15T10:30:00.000Z", harness: "script", model: null, mask: secretMask([]) };

function runOf(changes: Partial<ReadRow>): RunToKeep {
  const [run] = keptRows([{ ...ROW, ...changes }], AROUND);
  if (run === undefined) throw new Error("a row is a run");
  return run;
}

async function iterationIn(root: string) {
  const { now, note } = machineIn(root);
  return openKeptIteration({
    results: `${root}/.assay`,
    manifest: {
      schema: 1,
      purpose: "run",
      group: null,
      createdAt: AROUND.at,
      suite: "greeter",
      skill: null,
      evalFiles: [],
      harness: "script",
      client: null,
      model: null,
      judge: null,
      seed: 0,
      versions: { assay: "0", node: "0", platform: "none" },
      options: {},
      prices: null,
    },
    skill: null,
    mask: AROUND.mask,
    now,
    note,
  });
}

it("counts the first run of a trial that has a result, and only pays for the others", async () => {
  await using project = await tempTree({});
  const kept = await iterationIn(project.root);
  const limited = runOf({});
  const leftOutRun = { ...limited.run, outcome: leftOut("rate-limit", "429") };
  expect(await kept.add({ ...limited, run: leftOutRun, grading: null })).toMatchObject({ counts: true });
  expect(await kept.add(runOf({ pass: false, output: "bye" }))).toMatchObject({ counts: true });
  expect(await kept.add(runOf({ pass: true }))).toMatchObject({ counts: false });
  const { summary, folder } = await kept.finish();
  expect(summary).toMatchObject({
    verdict: "failed",
    trials: 1,
    cases: [{ trials: [{ passed: 0, failed: 1 }] }],
    missing: { leftOut: {} },
    spending: {
      made: { attempts: 3, usage: { costUsd: 3 } },
      replaced: { attempts: 2, usage: { costUsd: 2 } },
    },
  });
  const attempts = await readdir(`${folder}/attempts`, { recursive: true });
  expect(attempts.filter((name) => name.endsWith("output.txt"))).toHaveLength(2);
});

it("gives two runners at the same moment an iteration each", async () => {
  await using project = await tempTree({});
  const both = await Promise.all([iterationIn(project.root), iterationIn(project.root)]);
  await Promise.all(both.map(async (kept, at) => kept.add(runOf({ output: `run ${at}` }))));
  const reports = await Promise.all(both.map((kept) => kept.finish()));
  expect(reports.map(({ summary }) => summary.iteration).toSorted((a, b) => a - b)).toEqual([1, 2]);
  expect(reports.every(({ summary }) => summary.trials === 1)).toBe(true);
});
