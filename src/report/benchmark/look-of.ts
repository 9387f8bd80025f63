import type { Trial } from "../../domain/trial.ts";
import { groupBy } from "../../lib/group-by.ts";
import { smallestWithinCase } from "../../stats/within-case.ts";
import type { Evaluated, Reported } from "../evaluated.ts";
import { benchOptionsOf } from "./options.ts";

/**
 * The how manieth result of these runs this is: 1 unless runs were added to a result that was reported and could have
 * decided something. Going on with what was planned is no further look, nor is a skill that changed since.
 */
export function lookOf({ reported = [], iteration, trials }: Evaluated): number {
  const keys = new Map(trials.filter(isTested).map(({ id, key }) => [id, key]));
  const isOfTheseRuns = (one: Reported) => one.trials.some(({ id, key }) => keys.get(id) === key);
  const earlier = reported.filter(
    (one) => !isSamePlan(one, { iteration, trials }) && isOfTheseRuns(one) && couldDecide(one),
  );
  const isFirstOfItsPlan = (one: Reported, at: number) =>
    earlier.findIndex((other) => isSamePlan(one, other)) === at;
  return 1 + earlier.filter(isFirstOfItsPlan).length;
}

function isTested({ variant }: Trial): boolean {
  return variant === "with_skill" || variant === "new_skill";
}

/** Of `--adaptive` the looks belong together: they share what one may spend. */
function isSamePlan(one: Reported, other: Reported): boolean {
  const [here, there] = [one, other].map(({ iteration }) => benchOptionsOf(iteration.options)?.adaptive);
  if (here?.maxRuns !== there?.maxRuns || here?.step !== there?.step) return false;
  const partsOf = ({ trials }: Reported) => new Set(trials.map(({ id, caseId }) => (here ? caseId : id)));
  const [mine, theirs] = [partsOf(one), partsOf(other)];
  return mine.size === theirs.size && [...mine].every((part) => theirs.has(part));
}

function couldDecide({ iteration, trials }: Reported): boolean {
  const rules = benchOptionsOf(iteration.options);
  if (rules === null) return false;
  const isTreatment = (trial: Trial) => (rules.aa ? trial.repetition % 2 === 1 : isTested(trial));
  const counts = [...groupBy(trials, ({ caseId }) => caseId).values()].map((mine) => {
    const treatment = mine.filter(isTreatment).length;
    return { treatment, baseline: mine.length - treatment };
  });
  return smallestWithinCase(counts) <= rules.alpha;
}
