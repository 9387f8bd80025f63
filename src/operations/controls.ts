import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Check } from "../domain/check.ts";
import type { Json } from "../domain/json.ts";
import type { Case, Suite } from "../domain/suite.ts";
import type { EvaluationRequest } from "../engine/engine.ts";
import { concurrencyOf } from "../engine/plan-suites.ts";
import { requireTempFolder } from "../engine/temp-folder.ts";
import { inTempFolder } from "../engine/run-folder.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { RUN } from "../options/run.ts";
import { type Given, pick, settle, type Settled } from "../options/table.ts";
import { STRICT, TARGETS } from "../options/targets.ts";
import { evaluateSuites } from "../pipeline.ts";
import type { IterationReport } from "../report/reporter.ts";
import type { Job } from "../run/executor.ts";
import { local } from "../run/executors/local.ts";
import { type Controls, joinControls, nothingFindings, referenceFindings } from "./controls/findings.ts";
import { NOTHING, referenceScript } from "./controls/scripts.ts";
import { type Door, openDoor, type OpenDoor, sourcesOf } from "./door.ts";
import { openRunRequest } from "./shared/run-request.ts";

export type { ControlledCheck, Controls } from "./controls/findings.ts";

/** What `controls` can be told. */
export const CONTROLS_OPTIONS = {
  ...TARGETS,
  ...pick(RUN, ["cases", "filter", "concurrency", "sandbox", "include", "trust", "workspace"]),
  ...MODELS,
  ...STRICT,
};
export type ControlsOptions = Given<typeof CONTROLS_OPTIONS>;

/**
 * Holds the checks to two runs whose result is known: one that does nothing, and the reference answer. Both go through the
 * whole pipeline; they are kept only in a workspace that was named. Rejects with the signal's reason when it fires.
 */
export async function controls(options: ControlsOptions, door: Door): Promise<Controls> {
  const open = { ...openDoor(door), reporters: [] };
  requireTempFolder();
  return await inTempFolder(async (folder) => {
    const settled = settledControls(options, open);
    await using run = await openRunRequest(settled, open, null);
    const { workspace } = settled;
    const results = workspace === null ? join(folder, "results") : resolve(open.machine.cwd, workspace);
    const request = { ...run.request, purpose: "controls" as const, connect: () => null };
    const play = playerIn(folder, request);
    const loaded = await run.load();
    const sees = (one: Case) => run.models.find(one) !== null;
    const judged = loaded.every(({ cases }) => cases.every((one) => sees(one) || one.checks.every(isCode)));
    const suites = loaded.map((suite) => withDecidable(suite, sees));
    const nothing = await play(
      { name: "nothing", suites, script: NOTHING, selection: request.options.selection, results },
      open.signal,
    );
    const references = nothing.flatMap(referenced).map(({ suite, one }, at) => ({
      name: `reference-${at + 1}`,
      suites: onlyCase(suites, suite, one.id),
      script: referenceScript(one),
      selection: ALL,
      // Each alone in its folder, so that several can begin at once.
      results: workspace === null ? join(folder, "references", String(at + 1)) : results,
    }));
    // Where iterations are kept, they are numbered in the order of the cases.
    const concurrency = workspace === null ? concurrencyOf(request.options) : 1;
    const played = await playAll(references, { play, concurrency }, open.signal);
    return joinControls([nothingFindings(nothing, judged), ...played.map(referenceFindings)]);
  });
}

/** What was not offered is as in every run; the agent is one that plays a script. */
function settledControls(options: ControlsOptions, open: OpenDoor) {
  const sources = sourcesOf(open);
  const settled: Settled<typeof RUN & typeof MODELS & typeof CASSETTES> = {
    ...settle(RUN, {}, sources),
    ...settle(CASSETTES, {}, sources),
    ...settle(CONTROLS_OPTIONS, options, sources),
  };
  return { ...settled, harnesses: ["scripted"], mode: "artifact" as const, runs: 1 };
}

const ALL = { mode: "artifact", cases: [], filter: null, shard: null } as const;

/** Runs whose agent does what a script says. */
interface Play extends Pick<EvaluationRequest, "results">, Pick<EvaluationRequest["options"], "selection"> {
  /** Tells it from the others of the call. */
  readonly name: string;
  readonly suites: readonly Suite[];
  readonly script: Json;
}

type Player = (play: Play, signal: AbortSignal) => Promise<readonly IterationReport[]>;

/** Scripts are kept in the folder. */
function playerIn(folder: string, request: EvaluationRequest): Player {
  return async ({ name, suites, script, selection, results }, signal) => {
    const path = join(folder, `${name}.json`);
    await writeFile(path, JSON.stringify(script));
    const options = { ...request.options, script: path, selection };
    const { reports, failures } = await evaluateSuites(suites, { ...request, options, results }, signal);
    signal.throwIfAborted();
    for (const { error } of failures) throw error;
    return reports;
  };
}

/** Several at once; what they reported is in the order of the plays. One that fails stops the others. */
async function playAll(
  plays: readonly Play[],
  { play, concurrency }: { play: Player; concurrency: number },
  signal: AbortSignal,
): Promise<readonly (readonly IterationReport[])[]> {
  const reports = new Map<string, readonly IterationReport[]>();
  const byName = new Map(plays.map((one) => [one.name, one]));
  const perform = async ({ id }: Job, stop: AbortSignal) => {
    const one = byName.get(id);
    if (one !== undefined) reports.set(id, await play(one, stop));
  };
  await local({ concurrency }).run(
    { jobs: plays.map(({ name }) => ({ id: name, key: name })), perform },
    signal,
  );
  signal.throwIfAborted();
  return plays.map(({ name }) => reports.get(name) ?? []);
}

/** Only what can be decided here: without a judge, the checks of code. */
function withDecidable(suite: Suite, isJudged: (one: Case) => boolean): Suite {
  const cases = suite.cases.map((one) =>
    isJudged(one) ? one : { ...one, checks: one.checks.filter(isCode) },
  );
  return { ...suite, cases };
}

function isCode({ layer }: Check): boolean {
  return layer === "L1" || layer === "trigger";
}

function referenced({ evaluated }: IterationReport): { suite: string; one: Case }[] {
  const suite = evaluated.iteration.suite;
  return evaluated.cases.filter(({ reference }) => reference !== null).map((one) => ({ suite, one }));
}

function onlyCase(suites: readonly Suite[], name: string, id: string): readonly Suite[] {
  return suites
    .filter((suite) => suite.name === name)
    .map((suite) => ({ ...suite, cases: suite.cases.filter((one) => one.id === id) }));
}
