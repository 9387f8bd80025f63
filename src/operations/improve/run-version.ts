import { randomBytes } from "node:crypto";
import { isCanary } from "../../domain/canary.ts";
import type { IterationEnd } from "../../domain/event.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Case, Suite } from "../../domain/suite.ts";
import { DEFAULT_TRIGGER_RUNS } from "../../domain/triggers.ts";
import { UserError } from "../../domain/user-error.ts";
import { askForScripts } from "../../engine/consent.ts";
import type { EvaluationRequest } from "../../engine/engine.ts";
import { harnessNames, makeHarness } from "../../engine/harness.ts";
import type { Services } from "../../engine/models/services.ts";
import { surveyMachine } from "../../engine/survey.ts";
import { skillDigest } from "../../iteration/digests.ts";
import type { Race } from "./race.ts";
import { evaluateSuites, type Evaluation } from "../../pipeline.ts";
import { repetitionsOf } from "../../plan/repetitions.ts";
import { readIteration } from "../../store/iteration.ts";
import { iterationFolder } from "../../store/layout.ts";
import type { FoundIteration } from "../find-run.ts";
import { withProbes } from "../shared/run-request.ts";
import { earlierPair, earlierRun, type WantedRun } from "./earlier-run.ts";
import { gradeAgain } from "./grade-again.ts";
import type { VersionsCall } from "./open-versions.ts";

export interface VersionRunner {
  readonly harness: string;
  readonly model: string | null;
  /** How often a case is run while versions are explored. */
  readonly runsOf: (one: Case) => number;
  /** Runs these cases with this skill in place of the project's; what was run before is not run again. */
  readonly run: (
    skill: Skill,
    cases: readonly Case[],
    signal: AbortSignal,
    race?: Race,
  ) => Promise<VersionRun>;
  /** Runs two versions side by side, whatever was run before. */
  readonly runBoth: (both: WantedPair, signal: AbortSignal) => Promise<VersionRun>;
}

export interface VersionRun extends FoundIteration {
  readonly ended: IterationEnd;
}

/** Versions are held against each other, so all are run by one agent and one model. `cases` are all that may be run. */
export async function versionRunner(
  call: VersionsCall,
  cases: readonly Case[],
  signal: AbortSignal,
): Promise<VersionRunner> {
  const { harness, model } = await oneAgent(call, signal);
  const { options } = call.request;
  const request: EvaluationRequest = {
    ...call.request,
    // Versions are held against each other run by run, so none is run more often than another.
    options: { ...options, harnesses: [harness], maxRuns: options.runs ?? DEFAULT_TRIGGER_RUNS },
    defaultRuns: { task: 3, trigger: DEFAULT_TRIGGER_RUNS },
    own: call.place.skill,
  };
  const suite = once(() => suiteToRun(call.place.suite, { cases, request }, signal));
  const own = { ...call, request };
  return {
    harness,
    model,
    runsOf: (one) => repetitionsOf(one, { runs: request.options.runs, defaultRuns: request.defaultRuns }),
    run: (skill, some, signal, race) =>
      runVersion(own, { wanted: { skill, cases: some, harness, model, race: race ?? null }, suite }, signal),
    runBoth: (both, signal) => runPair(own, { both: { ...both, harness, model }, suite }, signal),
  };
}

async function oneAgent(
  { place, request }: VersionsCall,
  signal: AbortSignal,
): Promise<Pick<VersionRunner, "harness" | "model">> {
  const { machine, options, config } = request;
  const [name = "auto", another] = harnessNames(place.suite, options);
  const [model = null, second] = options.models ?? [null];
  if (another !== undefined || second !== undefined) {
    throw new UserError("improve/several", "a skill is improved for one agent and one model at a time", {
      hint: "choose one --harness and one --model",
    });
  }
  const harness = await makeHarness(name, options, { machine, plugins: config.plugins.harnesses, signal });
  return { harness: harness.name, model };
}

/** Asked for once, before the first run: consent to scripts, and what trigger queries need beside them. */
async function suiteToRun(
  suite: Suite,
  { cases, request }: { cases: readonly Case[]; request: EvaluationRequest },
  signal: AbortSignal,
): Promise<Suite> {
  const { machine, options, config, own = null } = request;
  await askForScripts(cases, { trust: options.trust, machine });
  const survey = surveyMachine(machine, { options, config, own, signal });
  const [prepared = suite] = await withProbes([suite], { options, machine, survey });
  return prepared;
}

async function runVersion(
  call: VersionsCall,
  { wanted, suite }: { wanted: WantedRun; suite: () => Promise<Suite> },
  signal: AbortSignal,
): Promise<VersionRun> {
  const { place, request } = call;
  const { race } = wanted;
  const earlier = await earlierRun(place.folder.root, wanted);
  if (earlier?.isWhole === true && !(await isToGoOn(earlier.found, wanted)))
    return { ...(await gradeAgain(earlier.found, call, signal)), ended: "complete" };
  const evaluated = await evaluateSuites(
    [asWanted(await suite(), wanted)],
    {
      ...request,
      ...(race !== null && { rounds: race }),
      // Whoever started the loop agreed to what it takes.
      options: { ...request.options, resume: earlier?.isLast === true, yes: true },
      connect: onOwnTape(request.connect, (await skillDigest(wanted.skill)).slice(0, 12)),
    },
    signal,
  );
  return await onlyRun(evaluated);
}

async function onlyRun({ reports, ended }: Evaluation): Promise<VersionRun> {
  const [report] = reports;
  if (report === undefined) throw new Error("nothing was run");
  const folder = iterationFolder(report.folder);
  const { state } = await readIteration(folder);
  return { folder, state, ended: state.ended ?? ended };
}

/** A race that was cut short between two looks is complete as far as it went. */
async function isToGoOn({ folder, state }: FoundIteration, { race, cases }: WantedRun): Promise<boolean> {
  if (race === null) return false;
  const more = await race.next(folder);
  const made = (id: string) => state.trials.filter(({ caseId }) => caseId === id).length;
  return more !== null && cases.some(({ id }) => made(id) < (more.get(id) ?? 0));
}

/** Two versions by name, and how often each case is run with either. */
interface WantedPair {
  readonly newer: { readonly name: string; readonly skill: Skill };
  readonly older: { readonly name: string; readonly skill: Skill };
  readonly cases: readonly Case[];
  readonly runs: number;
  /** Only iterations after this one are fresh. */
  readonly after: number;
}

async function runPair(
  call: VersionsCall,
  {
    both,
    suite,
  }: { both: WantedPair & Pick<VersionRunner, "harness" | "model">; suite: () => Promise<Suite> },
  signal: AbortSignal,
): Promise<VersionRun> {
  const { place, request } = call;
  const { newer, older, cases, runs, harness, model } = both;
  const names = { against: older.name, version: newer.name };
  const sha256 = await skillDigest(newer.skill);
  const earlier = await earlierPair(place.folder.root, {
    ...names,
    sha256,
    harness,
    model,
    after: both.after,
  });
  if (earlier?.isWhole === true)
    return { ...(await gradeAgain(earlier.found, call, signal)), ended: "complete" };
  const evaluated = await evaluateSuites(
    [asWanted(await suite(), { skill: newer.skill, cases })],
    {
      ...request,
      variants: ["new_skill", "old_skill"],
      options: { ...request.options, runs, resume: earlier !== null, yes: true },
      bench: {
        group: `improve-${randomBytes(6).toString("hex")}`,
        options: { alpha: 0.05, minEffect: 0, aa: false, adaptive: null, ...names },
        olderVersion: async () => older.skill,
        reuse: null,
        rounds: null,
      },
      connect: onOwnTape(request.connect, `fresh-${sha256}`),
    },
    signal,
  );
  return await onlyRun(evaluated);
}

function asWanted(suite: Suite, { skill, cases }: Pick<WantedRun, "skill" | "cases">): Suite {
  const ids = new Set(cases.map(({ id }) => id));
  const asked = suite.cases
    .filter((one) => ids.has(one.id) || (isCanary(one) && cases.some(({ kind }) => kind === "trigger")))
    .map((one) =>
      isCanary(one) ? { ...one, extras: { ...one.extras, description: skill.description } } : one,
    );
  return { ...suite, skill, cases: asked };
}

/** All versions run the same trials, so each has recordings of its own. */
function onOwnTape(connect: Services["connect"], name: string): Services["connect"] {
  return (trial, asked) => {
    const header = () => {
      const own = asked.header();
      return { ...own, suite: `${own.suite}.${name.slice(0, 18)}` };
    };
    return connect(trial, { ...asked, header });
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
