import type { Case } from "../domain/suite.ts";
import { type Models, openModels } from "../engine/models/open-models.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { regrade } from "../iteration/regrade.ts";
import { summarizeIteration } from "../iteration/summarize.ts";
import { AT_ONCE, CHECKS, HELD_TO, JUDGING, STORED } from "../options/grade.ts";
import { type Given, settle, type Settled } from "../options/table.ts";
import type { Evaluation } from "../pipeline.ts";
import { ALL_REPORTED, dispatch } from "../report/reporter.ts";
import { local } from "../run/executors/local.ts";
import { openIteration } from "../store/iteration.ts";
import { type Door, openDoor, type OpenDoor, sourcesOf } from "./door.ts";
import { findIteration, type FoundIteration } from "./find-run.ts";
import { gatesOf } from "./grade/gates.ts";
import { casesToGrade } from "./grade/iteration-cases.ts";
import { type LooseGradings, looseGradings } from "./grade/loose-gradings.ts";
import { withOnlyChecks } from "./grade/only-checks.ts";
import { skillNameOf } from "./grade/skill-name.ts";
import { storedRuns } from "./grade/stored.ts";

export type { LooseGrading, LooseGradings } from "./grade/loose-gradings.ts";

/** What `gradeAgain` can be told. */
export const GRADE_AGAIN_OPTIONS = { ...STORED, ...HELD_TO, ...CHECKS, ...AT_ONCE, ...JUDGING };
export type GradeAgainOptions = Given<typeof GRADE_AGAIN_OPTIONS>;

/** What became of an iteration that was graded again. */
export type GradedAgain =
  | { readonly kind: "kept"; readonly evaluation: Evaluation }
  /** Single checks were tried: nothing was written. */
  | { readonly kind: "tried"; readonly gradings: LooseGradings };

/**
 * Grades the runs of an iteration again, by the eval files as they are now, without running anything. Keeps the verdicts and
 * reports as a run does; with `only`, tries those checks and keeps nothing.
 */
export async function gradeAgain(options: GradeAgainOptions, door: Door): Promise<GradedAgain> {
  const open = openDoor(door);
  const { machine, config, signal } = open;
  const settled = settle(GRADE_AGAIN_OPTIONS, options, sourcesOf(open));
  const results = resultsFolder(settled.workspace, machine);
  const request = { models: settled, cassettes: settled, results, config, account: null };
  await using models = await openModels(request, machine);
  const found = await findIteration(settled.iteration, { machine, results });
  const wishes = { ...settled, plugins: config.plugins, signal };
  const cases = await casesToGrade(found, wishes, machine);
  const work: Work = { found, cases, settled, models, open };
  if (settled.only.length > 0) return { kind: "tried", gradings: await tryChecks(work) };
  return { kind: "kept", evaluation: await keepVerdicts(work) };
}

interface Work {
  readonly found: FoundIteration;
  /** Those that are graded. */
  readonly cases: readonly Case[];
  readonly settled: Settled<typeof GRADE_AGAIN_OPTIONS>;
  readonly models: Models;
  readonly open: OpenDoor;
}

async function tryChecks({ found, cases, settled, models, open }: Work): Promise<LooseGradings> {
  const graded = [];
  for (const { subject, folder } of await storedRuns(found, withOnlyChecks(cases, settled.only))) {
    const grading = await models.grade(subject, open.signal);
    graded.push({ name: folder, case: subject.case, grading });
  }
  return looseGradings(graded, gatesOf(settled, found.state.iteration));
}

async function keepVerdicts(work: Work): Promise<Evaluation> {
  const { found, settled, models, open } = work;
  const reporter = dispatch(open.reporters, open.machine.note, open.signal);
  const ended = await gradeInLock(work, reporter.event);
  const gates = gatesOf(settled, found.state.iteration);
  const report = await summarizeIteration(
    { folder: found.folder.root },
    { ...gates, mask: models.mask, gates: null },
  );
  await reporter.finish([report], ALL_REPORTED);
  return { reports: [report], ended, failures: [] };
}

async function gradeInLock(
  { found, cases, settled, models, open }: Work,
  report: ReturnType<typeof dispatch>["event"],
) {
  const { folder, state } = found;
  const { iteration: manifest } = state;
  if (manifest === null) throw new Error("an iteration was found without its start");
  await using iteration = await openIteration(folder, models.mask);
  return await regrade(
    {
      iteration,
      cases: state.cases.map((one) => cases.find(({ id }) => id === one.id) ?? one),
      wanted: new Set(cases.map(({ id }) => id)),
      grade: models.grade,
      skillNameOf: skillNameOf(found),
      mask: models.mask,
      executor: local({ concurrency: settled.concurrency }),
      listen: (event) => report(event, manifest),
      now: open.machine.now,
    },
    open.signal,
  );
}
