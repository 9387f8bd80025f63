import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Check } from "../domain/check.ts";
import type { Json } from "../domain/json.ts";
import type { Case, Suite } from "../domain/suite.ts";
import type { EvaluationRequest } from "../engine/engine.ts";
import { inTempFolder } from "../lib/temp-folder.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { RUN } from "../options/run.ts";
import { type Given, pick, settle, type Settled } from "../options/table.ts";
import { STRICT, TARGETS } from "../options/targets.ts";
import { evaluateSuites } from "../pipeline.ts";
import type { IterationReport } from "../report/reporter.ts";
import { type Controls, joinControls, nothingFindings, referenceFindings } from "./controls/findings.ts";
import { NOTHING, referenceScript } from "./controls/scripts.ts";
import { type Door, openDoor, type OpenDoor, sourcesOf } from "./door.ts";
import { openRunRequest } from "./shared/run-request.ts";

export type { ControlledCheck, Controls } from "./controls/findings.ts";

/** What `controls` can be told. */
export const CONTROLS_OPTIONS = {
  ...TARGETS,
  ...pick(RUN, ["cases", "filter", "concurrency", "sandbox", "trust", "workspace"]),
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
  return await inTempFolder(async (folder) => {
    const settled = settledControls(options, open);
    await using run = await openRunRequest(settled, open, null);
    const { workspace } = settled;
    const results = workspace === null ? join(folder, "results") : resolve(open.machine.cwd, workspace);
    const request = { ...run.request, results, connect: () => null };
    const play = playerOf(request, { script: join(folder, "script.json"), signal: open.signal });
    const loaded = await run.load();
    const sees = (one: Case) => run.models.find(one) !== null;
    const judged = loaded.every(({ cases }) => cases.every((one) => sees(one) || one.checks.every(isCode)));
    const suites = loaded.map((suite) => withDecidable(suite, sees));
    const nothing = await play(suites, { script: NOTHING, selection: request.options.selection });
    const found: Controls[] = [nothingFindings(nothing, judged)];
    for (const { suite, one } of nothing.flatMap(referenced)) {
      const script = referenceScript(one);
      found.push(referenceFindings(await play(onlyCase(suites, suite, one.id), { script, selection: ALL })));
    }
    return joinControls(found);
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

type Play = (
  suites: readonly Suite[],
  how: { readonly script: Json; readonly selection: EvaluationRequest["options"]["selection"] },
) => Promise<readonly IterationReport[]>;

function playerOf(
  request: EvaluationRequest,
  { script: path, signal }: { script: string; signal: AbortSignal },
): Play {
  return async (suites, { script, selection }) => {
    await writeFile(path, JSON.stringify(script));
    const options = { ...request.options, script: path, selection };
    const { reports, failures } = await evaluateSuites(suites, { ...request, options }, signal);
    signal.throwIfAborted();
    for (const { error } of failures) throw error;
    return reports;
  };
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
