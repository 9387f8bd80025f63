import { dirname, join } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { compareKnownGood, type KnownGood, knownGoodOf } from "../../report/benchmark/known-good.ts";
import type { IterationReport } from "../../report/reporter.ts";
import { readIteration } from "../../store/iteration.ts";
import { suiteFolder } from "../../store/layout.ts";
import { entryFor, KNOWN_GOOD_FILE, readKnownGood, updateKnownGood } from "./known-good-file.ts";
import type { BenchFlags } from "../../cli/options/bench.ts";

export interface KnownGoodCall {
  readonly flags: BenchFlags;
  /** Whether finished results become the last known good. */
  readonly keep: boolean;
  /** Where assay-baseline.json lies or would lie, by the skill's directory. */
  readonly folderOf: (skill: string | null) => string;
  readonly note: (text: string) => void;
}

/** Holds each benchmark to how the skill last did when it was fine, and keeps the new result where that is asked for. */
export async function holdToKnownGood(
  reports: readonly IterationReport[],
  { flags, keep, folderOf, note }: KnownGoodCall,
): Promise<IterationReport[]> {
  const held: IterationReport[] = [];
  for (const report of reports) {
    const { iteration, trials } = report.evaluated;
    const path = join(folderOf(iteration.skill?.path ?? null), KNOWN_GOOD_FILE);
    const isTested = trials.some(({ variant }) => TESTED.has(variant));
    const good = isTested ? await findKnownGood(report, { flags, path, note }) : null;
    held.push(good === null ? report : withGate(report, good, flags));
    if (keep && isTested) await keepResult(report, path, note);
  }
  return held;
}

async function keepResult(
  { summary, evaluated }: IterationReport,
  path: string,
  note: (text: string) => void,
): Promise<void> {
  if (summary.verdict === "unfinished") {
    return note(`${summary.suite} is not kept as the last known good, because runs are missing from it`);
  }
  await updateKnownGood(path, summary.suite, knownGoodOf(evaluated));
  note(`${summary.suite} is kept as the last known good in ${path}`);
}

const TESTED: ReadonlySet<string> = new Set(["with_skill", "new_skill"]);

async function findKnownGood(
  { evaluated, summary, folder: root }: IterationReport,
  { flags, path, note }: { flags: BenchFlags; path: string; note: (text: string) => void },
): Promise<KnownGood | null> {
  const { harness, model } = evaluated.iteration;
  if (flags.baselineIteration !== null) return fromIteration(dirname(root), flags.baselineIteration, summary);
  const file = await readKnownGood(path);
  const entry = entryFor(file, summary.suite, { harness, model });
  if (entry === null && (file.skills[summary.suite]?.length ?? 0) > 0) {
    note(`${path} knows ${summary.suite} only with another agent or model, so nothing is compared with it`);
  }
  return entry;
}

async function fromIteration(
  suiteRoot: string,
  number: number,
  { harness, model, suite }: { harness: string; model: string | null; suite: string },
): Promise<KnownGood> {
  const { state } = await readIteration(suiteFolder(suiteRoot).iteration(number));
  if (state.iteration === null) {
    throw new UserError("bench/no-baseline", `${suite} has no iteration-${number}`, {
      hint: "assay trend lists the iterations there are",
    });
  }
  const good = knownGoodOf({ ...state, iteration: state.iteration });
  if (good.harness !== harness || good.model !== model) {
    throw new UserError(
      "bench/other-baseline",
      `iteration-${number} was run with ${good.harness} ${good.model ?? ""}, this one with ${harness} ${model ?? ""}`,
      { hint: "compare like with like: another iteration, or the same --harness and --model" },
    );
  }
  return good;
}

function withGate(
  report: IterationReport,
  good: KnownGood,
  { minEffect, maxDrop }: BenchFlags,
): IterationReport {
  const { gate } = compareKnownGood(report.evaluated, good, { alpha: 0.05, minEffect, maxDrop });
  const { summary } = report;
  const verdict = gate.met || summary.verdict === "unfinished" ? summary.verdict : "failed";
  return { ...report, summary: { ...summary, verdict, gates: [...summary.gates, gate] } };
}
