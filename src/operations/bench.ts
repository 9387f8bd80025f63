import { randomBytes } from "node:crypto";
import type { BenchRequest } from "../engine/engine.ts";
import { trackedJournal } from "../engine/tracked-results.ts";
import { keepReport } from "../iteration/summarize.ts";
import { skillDigest } from "../iteration/digests.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { BENCH } from "../options/bench.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { RUN } from "../options/run.ts";
import { type Given, settle } from "../options/table.ts";
import { TARGETS } from "../options/targets.ts";
import { type Evaluation, evaluateSuites } from "../pipeline.ts";
import { adjustForMany, type MatrixRow, matrixOf } from "../report/benchmark/many.ts";
import { ALL_REPORTED, type IterationReport } from "../report/reporter.ts";
import { noteTooFew, requireChange, requireChecks, requireSkills } from "./bench/before-paying.ts";
import { keepKnownGood } from "./bench/keep-known-good.ts";
import { knownGoodGates, requireBaseline } from "./bench/known-good-gate.ts";
import { olderVersions, type OlderVersions } from "./bench/older-version.ts";
import { reusableBaselines } from "./bench/reusable-runs.ts";
import { benchRounds } from "./bench/rounds.ts";
import { type BenchSettings, benchSettings, type BenchSettled } from "./bench/settings.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { openRunRequest } from "./shared/run-request.ts";

export { DEFAULT_RUNS } from "./bench/settings.ts";
export type { MatrixRow } from "../report/benchmark/many.ts";

/** What `bench` can be told. */
export const BENCH_OPTIONS = { ...TARGETS, ...BENCH, ...RUN, ...MODELS, ...CASSETTES };
export type BenchOptions = Given<typeof BENCH_OPTIONS>;

export interface Benchmarks extends Evaluation {
  /** The lifts side by side, with p-values that allow for their number. */
  readonly matrix: readonly MatrixRow[];
}

/**
 * Does the skill help, and how sure are we: the same cases with it and without, or in two versions. All arms share one pool.
 * Throws a UserError for what the caller can fix.
 */
export async function bench(options: BenchOptions, door: Door): Promise<Benchmarks> {
  const open = openDoor(door);
  const { machine, signal } = open;
  const settled = settle(BENCH_OPTIONS, options, sourcesOf(open));
  const settings = benchSettings(settled);
  await using older = settled.against === null ? NO_VERSIONS : olderVersions(settled.against, machine);
  await using run = await openRunRequest(settings.run, open, {
    file: "budget.json",
    resume: settled.resume || settled.retryErrors,
  });
  const { request } = run;
  const suites = requireSkills(await run.load());
  const unchanged: string[] = [];
  const olderVersion: BenchRequest["olderVersion"] = async (skill) => {
    const found = await older.find(skill);
    if (found !== null && (await skillDigest(found)) === (await skillDigest(skill)))
      unchanged.push(skill.name);
    return found;
  };
  const tracked = settled.reuse ? await trackedJournal(request.results, machine) : null;
  if (tracked !== null)
    machine.note(`no baseline runs are reused: ${tracked} is committed, so anyone could have written it`);
  let unreported = ALL_REPORTED;
  const evaluation = await evaluateSuites(
    suites,
    {
      ...request,
      purpose: settled.smoke ? "smoke" : "bench",
      variants: settings.variants,
      defaultRuns: { task: settings.defaultRuns, trigger: settings.defaultRuns },
      // What there is to report is known once all benchmarks are seen beside each other.
      reporter: { ...request.reporter, finish: (_, rest) => void (unreported = rest) },
      inspect: async (plans) => {
        if (settled.grade) requireChecks(plans);
        await requireBaseline(plans, { ...settled, results: request.results });
        requireChange(unchanged, { suites, against: settled.against }, machine);
        if (settings.comparison.adaptive === null)
          for (const plan of plans) noteTooFew(plan, { aa: settled.aa, note: machine.note });
      },
      bench: {
        ...benchRequest({ ...settled, reuse: settled.reuse && tracked === null }, settings, olderVersion),
        gates: knownGoodGates({ ...settled, minEffect: settings.comparison.minEffect }, machine),
      },
    },
    signal,
  );
  const reports = await besideEachOther(evaluation.reports, request.mask);
  if (settled.updateBaseline && evaluation.ended === "complete") await keepKnownGood(reports, machine);
  await request.reporter.finish(reports, unreported);
  return { ...evaluation, reports, matrix: matrixOf(reports.map(({ summary }) => summary)) };
}

const NO_VERSIONS: Omit<OlderVersions, "find"> & { readonly find: () => Promise<null> } = {
  find: async () => null,
  [Symbol.asyncDispose]: async () => {},
};

function benchRequest(
  { against, reuse }: BenchSettled,
  { apart, comparison }: BenchSettings,
  olderVersion: BenchRequest["olderVersion"],
): BenchRequest {
  const { adaptive } = comparison;
  return {
    group: `bench-${randomBytes(6).toString("hex")}`,
    options: { ...comparison, adaptive: adaptive && { ...adaptive }, against },
    olderVersion,
    apart,
    reuse: reuse ? reusableBaselines : null,
    rounds: adaptive === null ? null : benchRounds(adaptive),
  };
}

/** What changes in the light of the others is written down again, so that files and reports say the same. */
async function besideEachOther(
  reports: readonly IterationReport[],
  mask: SecretMask,
): Promise<readonly IterationReport[]> {
  const adjusted = adjustForMany(reports);
  for (const [at, report] of adjusted.entries()) if (report !== reports[at]) await keepReport(report, mask);
  return adjusted;
}
