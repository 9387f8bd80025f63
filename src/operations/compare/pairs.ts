import { countsAs } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Contestant, Pair } from "../../compare/pair.ts";
import { storedSubject } from "../../iteration/stored-subject.ts";
import type { FinishedTrial } from "../../store/state.ts";
import type { FoundIteration } from "../find-run.ts";
import { skillNameOf } from "../grade/skill-name.ts";
import type { IterationArm } from "./arm.ts";
import { sharedExpectations } from "./expectations.ts";

/** Cases that both sides ran, each with as many of its repetitions as asked for. */
export async function armPairs(
  first: IterationArm,
  second: IterationArm,
  { cases, perCase }: { readonly cases: readonly string[]; readonly perCase: number },
): Promise<readonly Pair[]> {
  const wanted = second.state.cases.filter(
    ({ id, kind }) => kind === "task" && (cases.length === 0 || cases.includes(id)),
  );
  const pairs: Pair[] = [];
  for (const { id } of wanted) {
    const [before, after] = [countedRuns(first, id), countedRuns(second, id)];
    for (let index = 0; index < Math.min(before.length, after.length, perCase); index++) {
      pairs.push(await pairOf(first, before[index] as FinishedTrial, second, after[index] as FinishedTrial));
    }
  }
  return pairs;
}

/** Two single runs of one case. */
export async function runPair(
  first: FoundIteration & { readonly finished: FinishedTrial },
  second: FoundIteration & { readonly finished: FinishedTrial },
): Promise<Pair> {
  const [one, two] = [first.finished.trial.caseId, second.finished.trial.caseId];
  if (one !== two) {
    throw new UserError("compare/other-case", `the runs are of different cases: ${one} and ${two}`, {
      hint: "compare two runs of the same case",
    });
  }
  return pairOf(first, first.finished, second, second.finished);
}

async function pairOf(
  first: FoundIteration,
  before: FinishedTrial,
  second: FoundIteration,
  after: FinishedTrial,
): Promise<Pair> {
  const [one, two] = [await contestant(first, before), await contestant(second, after)];
  const verdictsOf = ({ state }: FoundIteration, { trial }: FinishedTrial) =>
    state.gradings.get(trial.id)?.verdicts ?? [];
  const expectations = sharedExpectations(verdictsOf(first, before), verdictsOf(second, after));
  return {
    caseId: after.trial.caseId,
    repetition: after.trial.repetition,
    first: { ...one, expectations: expectations.first },
    second: { ...two, expectations: expectations.second },
  };
}

async function contestant(found: FoundIteration, finished: FinishedTrial): Promise<Contestant> {
  const one = caseOf(found, finished.trial.caseId);
  const folder = found.folder.run(finished.folder);
  const subject = await storedSubject(finished, one, folder, skillNameOf(found)(one, finished.trial));
  return { name: `iteration-${found.state.iteration?.number}/${finished.folder}`, subject, expectations: [] };
}

function caseOf({ state, folder }: FoundIteration, caseId: string): Case {
  const one = state.cases.find(({ id }) => id === caseId);
  if (one === undefined) throw new Error(`${folder.root} has a run of the unknown case ${caseId}`);
  return one;
}

/** A case that both sides were to run, but of which one has no run that counts. */
export interface Uncompared {
  readonly caseId: string;
  readonly side: "first" | "second";
  /** How its runs ended instead, in words. */
  readonly why: string;
}

export function uncomparedCases(first: IterationArm, second: IterationArm): readonly Uncompared[] {
  return second.state.cases
    .filter(({ id, kind }) => kind === "task" && isPlanned(first, id) && isPlanned(second, id))
    .flatMap(({ id: caseId }) => {
      const side = countedRuns(second, caseId).length === 0 ? "second" : "first";
      const arm = { first, second }[side];
      return countedRuns(arm, caseId).length === 0 ? [{ caseId, side, why: whyNone(arm, caseId) }] : [];
    });
}

function isPlanned({ state, variant }: IterationArm, caseId: string): boolean {
  return state.trials.some((trial) => trial.caseId === caseId && trial.variant === variant);
}

function whyNone({ state, variant }: IterationArm, caseId: string): string {
  const ends = [...state.runs.values()]
    .filter(({ trial }) => trial.caseId === caseId && trial.variant === variant)
    .map(({ run }) => run.outcome.status);
  return ends.length === 0 ? "it was not run" : `left out as ${[...new Set(ends)].join(", ")}`;
}

function countedRuns({ state, variant }: IterationArm, caseId: string): readonly FinishedTrial[] {
  return [...state.runs.values()]
    .filter(
      ({ trial, run }) =>
        trial.caseId === caseId && trial.variant === variant && countsAs(run.outcome) !== "left-out",
    )
    .toSorted((a, b) => a.trial.repetition - b.trial.repetition);
}
