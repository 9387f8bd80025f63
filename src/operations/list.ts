import type { Layer } from "../domain/check.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Plan } from "../domain/plan.ts";
import type { Case, Suite } from "../domain/suite.ts";
import type { Variant } from "../domain/trial.ts";
import { changedSince, loadOptions } from "../engine/load-suites.ts";
import { planRequest, planSuites } from "../engine/plan-suites.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { type RunOptions, runOptionsOf } from "../engine/run-options.ts";
import { surveyMachine } from "../engine/survey.ts";
import { loadTargets } from "../load/load.ts";
import { RUN, SELECTION } from "../options/run.ts";
import { type Given, settle } from "../options/table.ts";
import { PLACE, TARGETS } from "../options/targets.ts";
import { nothingSelected } from "../engine/nothing-selected.ts";
import { selectCases, selectionPerSuite } from "../plan/select.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { withProbes } from "./shared/run-request.ts";

/** What `list` can be told. */
export const LIST_OPTIONS = { ...TARGETS, ...SELECTION, ...PLACE };
export type ListOptions = Given<typeof LIST_OPTIONS>;

export interface Listing {
  /** Down to the cases that would run; a skill without evals is there as long as nothing was asked for. */
  readonly suites: readonly Suite[];
  /** What would run, with what it may take; no agent was looked for. */
  readonly plans: readonly Plan[];
  /** Errors in what was named; those files are not listed. */
  readonly errors: readonly Diagnostic[];
}

/** What `evaluate` would run with the same options. Runs nothing and asks no agent. */
export async function list(options: ListOptions, door: Door): Promise<Listing> {
  const open = openDoor(door);
  const { machine, config, signal } = open;
  const sources = sourcesOf(open);
  const settled = { ...settle(RUN, {}, sources), ...settle(LIST_OPTIONS, options, sources) };
  const run = await runOptionsOf(settled, { settings: config.settings, machine, replay: null });
  const { suites: found, diagnostics } = await loadTargets(
    settled.targets,
    loadOptions({ ...settled, plugins: config.plugins, signal }, machine),
  );
  const changed = run.changed === null ? found : await changedSince(run.changed, found, machine);
  const survey = surveyMachine(machine, { options: run, config, own: null, signal });
  const plans = await planSuites(
    await withProbes(changed, { options: run, machine, survey }),
    planRequest({ options: run, results: resultsFolder(settled.workspace, machine), machine }),
    { survey, find: false },
  );
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const wanted = selected(changed, run);
  const hasCases = changed.some(({ cases }) => cases.length > 0);
  if (wanted.length === 0 && hasCases && errors.length === 0) throw nothingSelected(changed);
  return { suites: wanted, plans: plans.filter(({ trials }) => trials.length > 0), errors };
}

function selected(suites: readonly Suite[], { selection }: Pick<RunOptions, "selection">): readonly Suite[] {
  const selectionOf = selectionPerSuite(suites, selection);
  return suites
    .map((suite) => ({ suite, cases: selectCases(suite.cases, selectionOf(suite)) }))
    .filter(({ suite, cases }) => cases.length > 0 || suite.cases.length === 0)
    .map(({ suite, cases }) => ({ ...suite, cases }));
}

/** A suite in figures. */
export interface ListedSuite {
  readonly skill: string;
  /** Null where the skill is not known. */
  readonly file: string | null;
  readonly formats: readonly string[];
  readonly files: readonly string[];
  readonly tasks: number;
  readonly triggers: number;
  readonly ungraded: number;
  readonly checks: Readonly<Record<"L1" | "L2" | "L3", number>>;
  /** Which can run: without a skill, only the baseline. */
  readonly variants: readonly Variant[];
}

export function listedSuite(suite: Suite): ListedSuite {
  const tasks = suite.cases.filter((one) => one.kind === "task");
  return {
    skill: suite.name,
    file: suite.skill?.file ?? null,
    formats: [...new Set(suite.files.map((file) => file.format))],
    files: suite.files.map(({ path }) => path),
    tasks: tasks.length,
    triggers: suite.cases.length - tasks.length,
    ungraded: tasks.filter((one) => one.checks.length === 0).length,
    checks: { L1: countChecks(tasks, "L1"), L2: countChecks(tasks, "L2"), L3: countChecks(tasks, "L3") },
    variants: suite.skill === null ? ["without_skill"] : ["with_skill", "without_skill"],
  };
}

export function listedCase({ id, kind, at, checks }: Case) {
  return { id, kind, at, checks: checks.map(({ id, layer, kind, text }) => ({ id, layer, kind, text })) };
}

function countChecks(cases: readonly Case[], layer: Layer): number {
  return cases.reduce((sum, one) => sum + one.checks.filter((check) => check.layer === layer).length, 0);
}
