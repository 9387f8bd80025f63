import type { Diagnostic } from "../domain/diagnostic.ts";
import type { EvalEvent, IterationEnd } from "../domain/event.ts";
import type { Grading } from "../domain/grading.ts";
import type { Iteration, Purpose } from "../domain/iteration.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Plan } from "../domain/plan.ts";
import type { Trial } from "../domain/trial.ts";
import type { CassetteHeader } from "../gateway/cassette/cassette.ts";
import type { Subject } from "../grade/subject.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import type { Executor } from "../run/executor.ts";
import type { TrialParts } from "../run/trial.ts";
import { openIteration, type OpenIteration } from "../store/iteration.ts";
import { projectFolder, type SuiteFolder } from "../store/layout.ts";
import { writeManifest } from "../store/manifest.ts";
import { cassetteHeader } from "./cassette-header.ts";
import { chooseIteration, type Wanted } from "./choose.ts";
import { keepProjectFiles } from "./keep-project.ts";
import { keepSkill } from "./keep-skill.ts";
import { manifestOf } from "./manifest.ts";
import type { ReuseRun } from "./reuse-run.ts";
import type { Rounds } from "./rounds.ts";
import { takenOver } from "./taken-over.ts";
import { trialOptions } from "./trial-options.ts";
import { type Connection, workThrough } from "./work.ts";

/** What iterations are made with; the same for all plans of a call. */
export interface Iterating {
  readonly purpose: Purpose;
  /** Absolute; holds the iterations of every suite. */
  readonly results: string;
  readonly resume: boolean;
  /** The options in effect, kept in the manifest. */
  readonly options: JsonObject;
  readonly version: string;
  readonly comparing: Comparing | null;
  /** Where the skill lies for people, if what is run was fetched to another place; null: where it is run from. */
  readonly skillPath: string | null;
  /** The project's own skill, of which a version is run; null: the one that is run. */
  readonly skillHome: string | null;
  readonly graded: (plan: Plan) => Pick<Iteration, "judge" | "prices">;
  readonly grade: ((subject: Subject, signal: AbortSignal) => Promise<Grading>) | null;
  readonly connect: (trial: Trial, asked: ConnectionAsk) => Promise<Connection> | null;
  readonly mask: SecretMask;
  readonly executor: Executor;
  /** Null: all repetitions are planned from the start. */
  readonly rounds: Rounds | null;
  readonly planAgain: (plan: Plan, runsOf: ReadonlyMap<string, number>) => Plan;
  readonly listen: (event: EvalEvent, iteration: Iteration) => void;
  readonly note: (note: string | Diagnostic) => void;
  readonly now: () => Date;
}

/** What a benchmark adds to an iteration. */
export interface Comparing {
  /** Joins the iterations of one benchmark. */
  readonly group: string;
  /** How the arms will be compared; kept in the manifest. */
  readonly options: JsonObject;
  /** A run of an earlier iteration that nothing has changed for; null: every trial is run. */
  readonly reuse: ((suite: SuiteFolder, current: number) => Promise<ReuseRun>) | null;
}

/** What a trial wants of the way to its model. */
export interface ConnectionAsk {
  readonly harness: string;
  readonly model: string | null;
  /** Hosts with their ports that the trial may reach beside its model. */
  readonly hosts: readonly string[];
  /** What a recording of the trial depends on. */
  readonly header: () => CassetteHeader;
}

/** An iteration that has its folder and its manifest, and that nobody else can write to until it is worked on. */
export interface Begun {
  readonly iteration: OpenIteration;
  readonly manifest: Iteration;
}

/** An iteration that was worked on. */
export interface Worked {
  /** Absolute path. */
  readonly folder: string;
  readonly ended: IterationEnd;
}

/** Chooses the folder and writes down what will be run. */
export async function beginIteration(plan: Plan, work: Iterating, group: string | null): Promise<Begun> {
  const { results, comparing, mask } = work;
  const { suite, variants } = plan;
  const graded = work.graded(plan);
  const { folder, number, note } = await chooseIteration(results, wantedOf(plan, work), work.resume);
  if (note !== null) work.note(note);
  const bench = comparing === null ? null : { ...comparing.options, arms: variants };
  const manifest = await manifestOf(plan, {
    number,
    purpose: work.purpose,
    now: work.now(),
    group: comparing?.group ?? group,
    version: work.version,
    options: { ...work.options, ...(bench && { bench }) },
    skillPath: work.skillPath,
    graded,
  });
  // Whoever else is at work in the folder is not disturbed: without the lock nothing is written.
  const iteration = await openIteration(folder, mask);
  for (const diagnostic of iteration.diagnostics) work.note(diagnostic);
  try {
    await writeManifest(folder.manifest, manifest, mask);
    await keepProjectFiles({ results, madeIn: folder.root }, plan.determinants.project, plan.projectFiles);
    if (suite.skill !== null && manifest.skill !== null) {
      const kept = projectFolder(results).suite(suite.name).skill(manifest.skill.sha256);
      await keepSkill(suite.skill, { target: kept, madeIn: folder.root }, work);
    }
    return { iteration, manifest };
  } catch (error) {
    await iteration[Symbol.asyncDispose]();
    throw error;
  }
}

/** What an earlier iteration must be like for the plan to go on with it, or to be held against it. */
export function wantedOf(
  { suite, harness, model, variants }: Plan,
  { comparing, skillHome, skillPath }: Pick<Iterating, "comparing" | "skillHome" | "skillPath">,
): Wanted {
  const { against = null, version = null } = comparing?.options ?? {};
  return {
    suite: suite.name,
    harness,
    model,
    skillPath: skillHome ?? skillPath ?? suite.skill?.root ?? null,
    compared: comparing === null ? null : { arms: variants, against, version },
  };
}

/** Runs and grades round after round until nothing is open, or the signal fires. */
export async function iterate(
  plan: Plan,
  begun: Begun,
  { work, parts }: { work: Iterating; parts: () => Promise<TrialParts> },
  signal: AbortSignal,
): Promise<Worked> {
  const { folder } = begun.iteration;
  for (let round = plan, open = begun; ;) {
    const ended = await workRound(round, open, { work, parts }, signal);
    const runsOf = ended === "complete" ? await work.rounds?.next(folder, round) : null;
    if (!runsOf) return { folder: folder.root, ended };
    round = work.planAgain(round, runsOf);
    open = { ...begun, iteration: await openIteration(folder, work.mask) };
  }
}

async function workRound(
  plan: Plan,
  { iteration: opened, manifest }: Begun,
  { work, parts }: { work: Iterating; parts: () => Promise<TrialParts> },
  signal: AbortSignal,
): Promise<IterationEnd> {
  await using iteration = opened;
  const { mask, grade, executor, now } = work;
  const suiteFolder = projectFolder(work.results).suite(plan.suite.name);
  const reuse =
    (await takenOver(suiteFolder, plan)) ?? (await work.comparing?.reuse?.(suiteFolder, manifest.number));
  return await workThrough(
    {
      manifest,
      plan,
      iteration,
      parts,
      executor,
      mask,
      grade,
      ...(reuse && { reuse }),
      optionsFor: (one, trial) => trialOptions(plan, one, trial),
      connect: (trial) =>
        work.connect(trial, {
          harness: plan.harness,
          model: plan.model,
          hosts: plan.ground.allowHosts,
          header: () => headerOf(plan, trial),
        }),
      listen: (event) => work.listen(event, manifest),
      retries: { attempts: 3, waitMs: (attempt) => 1000 * 2 ** attempt },
      now,
    },
    signal,
  );
}

function headerOf(plan: Plan, trial: Trial): CassetteHeader {
  const one = plan.suite.cases.find((candidate) => candidate.id === trial.caseId);
  if (one === undefined) throw new Error(`the plan has a trial of an unknown case: ${trial.id}`);
  return cassetteHeader(trial, one, plan);
}
