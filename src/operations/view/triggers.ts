import { readFile } from "node:fs/promises";
import type { TriggersPage } from "../../domain/pages.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { TriggersFile } from "../../store/write/triggers.ts";
import type { ViewedIteration } from "./stored.ts";

export async function triggersPage({ at, folder, state, summary }: ViewedIteration): Promise<TriggersPage> {
  const queries = new Set(state.cases.filter(({ kind }) => kind === "trigger").map(({ id }) => id));
  const runs = [...state.runs.values()].filter(({ trial }) => queries.has(trial.caseId));
  const byCase = groupBy(runs, ({ trial }) => trial.caseId);
  return {
    at,
    triggers: summary.triggers,
    agreement: await agreementIn(folder.triggers),
    runs: Object.fromEntries(
      [...byCase].map(([caseId, mine]) => [
        caseId,
        mine
          .toSorted((a, b) => a.trial.repetition - b.trial.repetition)
          .map(({ trial, run }) => ({
            trial: trial.id,
            status: run.outcome.status,
            fired: [...new Set(run.activations.map(({ skill }) => skill))],
          })),
      ]),
    ),
  };
}

async function agreementIn(path: string): Promise<TriggersPage["agreement"]> {
  try {
    return (JSON.parse(await readFile(path, "utf8")) as TriggersFile).agreement ?? null;
  } catch {
    return null;
  }
}
