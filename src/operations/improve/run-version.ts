import { isCanary } from "../../domain/canary.ts";
import type { IterationEnd } from "../../domain/event.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Case, Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { askForScripts } from "../../engine/consent.ts";
import type { EvaluationRequest } from "../../engine/engine.ts";
import { harnessNames, makeHarness } from "../../engine/harness.ts";
import type { Services } from "../../engine/models/services.ts";
import { surveyMachine } from "../../engine/survey.ts";
import { skillDigest } from "../../iteration/digests.ts";
import { evaluateSuites } from "../../pipeline.ts";
import { readIteration } from "../../store/iteration.ts";
import { iterationFolder } from "../../store/layout.ts";
import type { FoundIteration } from "../find-run.ts";
import { withProbes } from "../shared/run-request.ts";
import { earlierRun, type WantedRun } from "./earlier-run.ts";
import { gradeAgain } from "./grade-again.ts";
import type { VersionsCall } from "./open-versions.ts";

export interface VersionRunner {
  readonly harness: string;
  readonly model: string | null;
  /** Runs these cases with this skill in place of the project's; what was run before is not run again. */
  readonly run: (skill: Skill, cases: readonly Case[], signal: AbortSignal) => Promise<VersionRun>;
}

export interface VersionRun extends FoundIteration {
  readonly ended: IterationEnd;
}

/** Versions are held against each other, so all are run by one agent and one model. `cases` are all that may be run. */
export async function versionRunner(call: VersionsCall, cases: readonly Case[]): Promise<VersionRunner> {
  const { harness, model } = await oneAgent(call);
  const request: EvaluationRequest = {
    ...call.request,
    options: { ...call.request.options, harnesses: [harness] },
    defaultRuns: { task: 3, trigger: 3 },
    own: call.place.skill,
  };
  const suite = once(() => suiteToRun(call.place.suite, { cases, request }));
  return {
    harness,
    model,
    run: (skill, some, signal) =>
      runVersion({ ...call, request }, { wanted: { skill, cases: some, harness, model }, suite }, signal),
  };
}

async function oneAgent({ place, request }: VersionsCall): Promise<Pick<VersionRunner, "harness" | "model">> {
  const { machine, options, config } = request;
  const [name = "auto", another] = harnessNames(place.suite, options);
  const [model = null, second] = options.models ?? [null];
  if (another !== undefined || second !== undefined) {
    throw new UserError("improve/several", "a skill is improved for one agent and one model at a time", {
      hint: "name one --harness and one --model",
    });
  }
  const harness = await makeHarness(name, options, { machine, plugins: config.plugins.harnesses });
  return { harness: harness.name, model };
}

/** Asked for once, before the first run: consent to scripts, and what trigger queries need beside them. */
async function suiteToRun(
  suite: Suite,
  { cases, request }: { cases: readonly Case[]; request: EvaluationRequest },
): Promise<Suite> {
  const { machine, options, config, own = null } = request;
  await askForScripts(cases, { trust: options.trust, machine });
  const survey = surveyMachine(machine, { options, config, own });
  const [prepared = suite] = await withProbes([suite], { options, machine, survey });
  return prepared;
}

async function runVersion(
  call: VersionsCall,
  { wanted, suite }: { wanted: WantedRun; suite: () => Promise<Suite> },
  signal: AbortSignal,
): Promise<VersionRun> {
  const { place, request } = call;
  const earlier = await earlierRun(place.folder.root, wanted);
  if (earlier?.isWhole === true)
    return { ...(await gradeAgain(earlier.found, call, signal)), ended: "complete" };
  const { reports, ended } = await evaluateSuites(
    [asWanted(await suite(), wanted)],
    {
      ...request,
      // Whoever started the loop agreed to what it takes.
      options: { ...request.options, resume: earlier?.isLast === true, yes: true },
      connect: onOwnTape(request.connect, await skillDigest(wanted.skill)),
    },
    signal,
  );
  const [report] = reports;
  if (report === undefined) throw new Error("the version was not run");
  const folder = iterationFolder(report.folder);
  const { state } = await readIteration(folder);
  return { folder, state, ended: state.ended ?? ended };
}

function asWanted(suite: Suite, { skill, cases }: WantedRun): Suite {
  const ids = new Set(cases.map(({ id }) => id));
  const asked = suite.cases
    .filter((one) => ids.has(one.id) || (isCanary(one) && cases.some(({ kind }) => kind === "trigger")))
    .map((one) =>
      isCanary(one) ? { ...one, extras: { ...one.extras, description: skill.description } } : one,
    );
  return { ...suite, skill, cases: asked };
}

/** All versions run the same trials, so each has recordings of its own. */
function onOwnTape(connect: Services["connect"], sha256: string): Services["connect"] {
  return (trial, asked) => {
    const header = () => {
      const own = asked.header();
      return { ...own, suite: `${own.suite}.${sha256.slice(0, 12)}` };
    };
    return connect(trial, { ...asked, header });
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
