import { isCanary } from "../../domain/canary.ts";
import type { IterationEnd } from "../../domain/event.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Case, Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { evaluate } from "../../pipeline.ts";
import { readIteration } from "../../store/iteration.ts";
import { listIterations } from "../../store/iterations.ts";
import { iterationFolder } from "../../store/layout.ts";
import { readManifest } from "../../store/manifest.ts";
import { remainingTrials, ungradedRuns } from "../../store/state.ts";
import type { FoundIteration } from "../find-run.ts";
import { silentReporter } from "../grade/silent-reporter.ts";
import type { Graders } from "../grade/with-grading.ts";
import { withLoad } from "../grade/with-load.ts";
import { gradedBy } from "../../engine/models/judges.ts";
import type { Services } from "../../engine/models/services.ts";
import { skillDigest } from "../../iteration/digests.ts";
import { harnessNames, makeHarness } from "../../engine/harness.ts";
import type { RunOptions } from "../../cli/options/run.ts";
import { secretsOf } from "../../engine/secrets.ts";
import { MachineStages } from "../../iteration/iterate.ts";
import type { Machine } from "../../machine.ts";
import { gradeAgain } from "./grade-again.ts";
import type { Place } from "./place.ts";

export interface VersionRunner {
  readonly harness: string;
  readonly model: string | null;
  /** Runs these cases with this skill in place of the project's; what is there already is not run again. */
  readonly run: (skill: Skill, cases: readonly Case[], signal: AbortSignal) => Promise<VersionRun>;
}

export interface VersionRun extends FoundIteration {
  readonly ended: IterationEnd;
}

export interface RunnerCall {
  readonly place: Place;
  readonly target: string;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly options: RunOptions;
  readonly graders: Graders;
  readonly machine: Machine;
}

/** Versions are held against each other, so all are run by one agent and one model. */
export async function versionRunner(call: RunnerCall): Promise<VersionRunner> {
  const { place, machine } = call;
  const names = harnessNames(place.suite, call.options);
  const models = call.options.models ?? [null];
  const [name = "auto", another] = names;
  const [model = null, second] = models;
  if (another !== undefined || second !== undefined) {
    throw new UserError("improve/several", "a skill is improved for one agent and one model at a time", {
      hint: "name one --harness and one --model",
    });
  }
  const harness = (await makeHarness(name, call.options, machine)).name;
  const options: RunOptions = { ...call.options, harnesses: [harness] };
  return {
    harness,
    model,
    run: (skill, cases, signal) => runVersion({ ...call, options }, { skill, cases, harness, model }, signal),
  };
}

interface Wanted {
  readonly skill: Skill;
  readonly cases: readonly Case[];
  readonly harness: string;
  readonly model: string | null;
}

async function runVersion(call: RunnerCall, wanted: Wanted, signal: AbortSignal): Promise<VersionRun> {
  const { options, graders, machine, raw, target } = call;
  const mask = secretMask(secretsOf(machine.env));
  const earlier = await earlierRun(call.place, wanted);
  if (earlier !== null && isWhole(earlier.found))
    return { ...(await gradeAgain(earlier.found, { call, mask }, signal)), ended: "complete" };
  await using stages = new MachineStages({
    targets: [target],
    raw,
    options: { ...options, resume: earlier?.isLast === true },
    variants: ["with_skill"],
    defaultRuns: { task: 3, trigger: 3 },
    machine: { ...machine, err: () => {} },
    reporter: silentReporter,
    mask,
    grade: graders.grade,
    connect: onOwnTape(graders.services.connect, await skillDigest(wanted.skill)),
    graded: (suite) => gradedBy(suite, graders.find, graders.services),
    hidden: graders.cassettes === null ? [] : [graders.cassettes.folder],
    own: call.place.skill,
  });
  const load = async () => (await stages.load()).map((suite) => asWanted(suite, wanted));
  const { reports, ended } = await evaluate(withLoad(stages, load), signal);
  const [report] = reports;
  if (report === undefined) throw new Error("the version was not run");
  const folder = iterationFolder(report.folder);
  return { folder, state: (await readIteration(folder)).state, ended };
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

/** Nothing of it would be run or graded again. */
function isWhole({ state }: FoundIteration): boolean {
  const isOpen = remainingTrials(state.trials, state).length > 0 || ungradedRuns(state).length > 0;
  return state.ended === "complete" && !isOpen;
}

function asWanted(suite: Suite, { skill, cases }: Wanted): Suite {
  const ids = new Set(cases.map(({ id }) => id));
  const asked = suite.cases
    .filter((one) => ids.has(one.id) || (isCanary(one) && cases.some(({ kind }) => kind === "trigger")))
    .map((one) =>
      isCanary(one) ? { ...one, extras: { ...one.extras, description: skill.description } } : one,
    );
  return { ...suite, skill, cases: asked };
}

/** The newest iteration of this very skill with these cases; `isLast`: going on with the last one goes on with it. */
async function earlierRun(
  { folder }: Place,
  { skill, cases, harness, model }: Wanted,
): Promise<{ readonly found: FoundIteration; readonly isLast: boolean } | null> {
  const sha256 = await skillDigest(skill);
  const ids = cases.map(({ id }) => id).toSorted();
  let isLast = true;
  for (const { folder: iteration } of (await listIterations(folder.root)).toReversed()) {
    const manifest = await readManifest(iteration.manifest);
    if (manifest === null || manifest.harness !== harness || manifest.model !== model) continue;
    if (manifest.options["bench"] !== undefined) continue;
    if (manifest.skill?.path === skill.root && manifest.skill.sha256 === sha256) {
      const { state } = await readIteration(iteration);
      const asked = state.cases.filter((one) => !isCanary(one)).map(({ id }) => id);
      const same = state.iteration === null || JSON.stringify(asked.toSorted()) === JSON.stringify(ids);
      if (same) return { found: { folder: iteration, state }, isLast };
    }
    isLast = false;
  }
  return null;
}
