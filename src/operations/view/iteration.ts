import { isCanary } from "../../domain/canary.ts";
import type { IterationPage, RunLeftOut } from "../../domain/pages.ts";
import { countsAs } from "../../domain/run.ts";
import { iterationWords } from "../../report/iteration-words.ts";
import { outcomeText } from "../../report/text.ts";
import { comparedWith } from "./compared.ts";
import { gridOf } from "./grid.ts";
import { iterationLines } from "./lines.ts";
import { progressOf } from "./progress.ts";
import type { ViewedIteration, StoredResults } from "./stored.ts";

/** `against`: the number of another iteration to compare with; null: the last before it that it can be compared with. */
export async function iterationPage(
  stored: StoredResults,
  found: ViewedIteration,
  against: number | null,
): Promise<IterationPage> {
  const { at, folder, state, iteration, summary } = found;
  const suite = await stored.suite(at.skill);
  const others = await iterationLines(suite, await stored.iterations(at.skill));
  const progress = await progressOf(folder);
  const { cases: _, ...numbers } = summary;
  return {
    at,
    iteration,
    progress,
    summary: state.runs.size === 0 ? null : numbers,
    words: iterationWords(summary, iteration),
    cases: gridOf(found, progress),
    leftOut: leftOutOf(found),
    notes: state.notes.map(({ message }) => message),
    others: others.lines.filter(({ n }) => n !== at.n),
    compared: await comparedWith(stored, found, { against, others: others.lines }),
    problems: [...found.problems, ...others.problems],
  };
}

function leftOutOf({ state }: ViewedIteration): readonly RunLeftOut[] {
  const canaries = new Set(state.cases.filter(isCanary).map(({ id }) => id));
  return state.trials.flatMap(({ id, caseId }): RunLeftOut[] => {
    if (canaries.has(caseId)) return [];
    const run = state.runs.get(id)?.run;
    if (run === undefined) return [{ trial: id, status: "not-run", reason: "it has not been run" }];
    if (countsAs(run.outcome) !== "left-out") return [];
    return [{ trial: id, status: run.outcome.status, reason: outcomeText(run.outcome) }];
  });
}
