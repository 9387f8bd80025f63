import type { Suite } from "../../domain/suite.ts";
import type { EvaluationRequest } from "../../engine/engine.ts";
import { openControl } from "../../engine/control/open-control.ts";
import { askForScripts } from "../../engine/consent.ts";
import { harnessNames } from "../../engine/harness.ts";
import { type LoadWishes, loadSuites } from "../../engine/load-suites.ts";
import { gradedBy } from "../../engine/models/judges.ts";
import { type AccountFile, type Models, openModels } from "../../engine/models/open-models.ts";
import { openPreflight } from "../../engine/preflight/preflight.ts";
import { ownOutputs } from "../../engine/own-outputs.ts";
import { concurrencyOf, usualArms } from "../../engine/plan-suites.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import { type RunOptions, runOptionsOf } from "../../engine/run-options.ts";
import { withServedSkills } from "../../engine/served/served-targets.ts";
import { requireTempFolder } from "../../engine/temp-folder.ts";
import { type Survey, surveyMachine } from "../../engine/survey.ts";
import { implicitNotes } from "../../load/implicit-notes.ts";
import type { Machine } from "../../machine.ts";
import type { CASSETTES, MODELS } from "../../options/models.ts";
import type { RUN } from "../../options/run.ts";
import type { Settled } from "../../options/table.ts";
import { selectCases, selectionPerSuite } from "../../plan/select.ts";
import { requireSandboxName } from "../../run/choose-sandbox.ts";
import { dispatch } from "../../report/reporter.ts";
import { prepareTriggers } from "../../triggers/prepare.ts";
import type { OpenDoor } from "../door.ts";
import { watchedCall } from "./watched-call.ts";

/** What every operation that runs trials has settled. */
export type RunSettled = Settled<typeof RUN & typeof MODELS & typeof CASSETTES>;

/** A request to the engine, and the way to the suites it is about. Disposing of it closes the way to models. */
export interface RunRequest extends AsyncDisposable {
  readonly request: EvaluationRequest;
  readonly models: Models;
  /** Reads the eval files, asks for consent to their scripts, and adds what trigger queries need. */
  readonly load: () => Promise<readonly Suite[]>;
}

/** The one place where options become a request; callers change what differs. */
export async function openRunRequest(
  settled: RunSettled,
  door: OpenDoor,
  account: AccountFile | null,
): Promise<RunRequest> {
  const { machine, config } = door;
  requireTempFolder();
  const options = await runOptionsOf(settled, {
    settings: config.settings,
    machine,
    replay: settled.replay,
  });
  requireSandboxName(settled.sandbox);
  const results = resultsFolder(settled.workspace, machine);
  const outputs = await ownOutputs(results, machine.outputs ?? []);
  const models = await openModels({ models: settled, cassettes: settled, results, config, account }, machine);
  const { services, cassettes, find, mask } = models;
  const { gateway } = services;
  const control = openControl({
    machine,
    concurrency: concurrencyOf(options),
    gates: options,
    results,
    gateway,
  });
  const all = dispatch(door.reporters, machine.note, door.signal);
  const watched = watchedCall(all, { gateway, control, now: machine.now });
  return {
    request: {
      machine,
      config,
      options,
      purpose: "run",
      ...usualArms(options),
      results,
      reporter: watched.reporter,
      mask,
      grade: options.grade ? models.grade : null,
      connect: services.connect,
      preflight: openPreflight({
        ...models,
        machine,
        grade: options.grade,
        replay: options.replay,
        signal: door.signal,
      }),
      graded: (suite) =>
        options.grade ? gradedBy(suite, find, services) : { judge: null, prices: services.prices },
      hidden: [...(cassettes === null ? [] : [cassettes.folder]), ...outputs],
      control,
    },
    models,
    load: async () => {
      const served = { ...settled, results, machine, signal: door.signal };
      const targets = await withServedSkills(settled.targets, served);
      return loadForRun({ ...settled, targets, plugins: config.plugins }, { options, door });
    },
    async [Symbol.asyncDispose]() {
      watched.close();
      await control[Symbol.asyncDispose]();
      await models[Symbol.asyncDispose]();
    },
  };
}

export async function loadForRun(
  wishes: LoadWishes,
  { options, door }: { options: RunOptions; door: OpenDoor },
): Promise<readonly Suite[]> {
  const { machine, config, signal } = door;
  const suites = await loadSuites({ ...wishes, signal }, machine);
  const selectionOf = selectionPerSuite(suites, options.selection);
  const selected = suites.flatMap((suite) => selectCases(suite.cases, selectionOf(suite)));
  await askForScripts(selected, { trust: options.trust, machine });
  return withProbes(suites, {
    options,
    machine,
    survey: surveyMachine(machine, { options, config, own: null, signal }),
  });
}

/** The suites with what their trigger queries need beside them. */
export async function withProbes(
  suites: readonly Suite[],
  {
    options,
    machine,
    survey,
  }: {
    options: Pick<RunOptions, "selection" | "rivals" | "harnesses" | "fallback">;
    machine: Machine;
    survey: Survey;
  },
): Promise<readonly Suite[]> {
  if (options.selection.mode === "artifact") return suites;
  return Promise.all(
    suites.map(async (suite) => {
      const rivals = options.rivals ? await survey.otherSkills(suite) : [];
      const prepared = prepareTriggers(
        suite,
        rivals.map(({ name }) => name),
      );
      for (const note of prepared.notes) machine.note(note);
      if (harnessNames(suite, options).includes("codex"))
        for (const note of await implicitNotes(suite)) machine.note(note);
      return prepared.suite;
    }),
  );
}
