import { readFile } from "node:fs/promises";
import { isCanary } from "../../domain/canary.ts";
import type { TriggersPage } from "../../domain/pages.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { FinishedTrial } from "../../store/state.ts";
import type { TriggersFile } from "../../store/write/triggers.ts";
import { firedIn, othersIn, probeName } from "../../triggers/probe.ts";
import type { ViewedIteration } from "./stored.ts";

export async function triggersPage({ at, folder, state, summary }: ViewedIteration): Promise<TriggersPage> {
  const asked = state.cases.filter((one) => one.kind === "trigger" && !isCanary(one));
  const queries = new Set(asked.map(({ id }) => id));
  const own = summary.triggers?.skill ?? at.skill;
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
          .map((finished) => ({
            trial: finished.trial.id,
            status: finished.run.outcome.status,
            fired: firedSkills(finished, own),
          })),
      ]),
    ),
  };
}

/** By the names that people know: for a probe the skill is installed under one of its own. The skill under test comes first. */
function firedSkills({ trial, run }: FinishedTrial, own: string): readonly string[] {
  const probed = { run, probe: probeName(own, trial) };
  return [...(firedIn(probed) ? [own] : []), ...othersIn(probed)];
}

async function agreementIn(path: string): Promise<TriggersPage["agreement"]> {
  try {
    return (JSON.parse(await readFile(path, "utf8")) as TriggersFile).agreement ?? null;
  } catch {
    return null;
  }
}
