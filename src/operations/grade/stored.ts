import type { Case } from "../../domain/suite.ts";
import { gradableRuns } from "../../iteration/regrade.ts";
import { storedSubject } from "../../iteration/stored-subject.ts";
import type { Subject } from "../../grade/subject.ts";
import type { FoundIteration } from "../find-run.ts";
import { skillNameOf } from "./skill-name.ts";

export interface StoredRun {
  readonly subject: Subject;
  /** Relative to the iteration. */
  readonly folder: string;
}

/** The counted runs of these cases as an iteration holds them. */
export async function storedRuns(
  found: FoundIteration,
  cases: readonly Case[],
): Promise<readonly StoredRun[]> {
  const nameOf = skillNameOf(found);
  const runs: StoredRun[] = [];
  for (const finished of gradableRuns(found.state, new Set(cases.map(({ id }) => id)))) {
    const one = cases.find(({ id }) => id === finished.trial.caseId);
    if (one === undefined) continue;
    const folder = found.folder.run(finished.folder);
    const subject = await storedSubject(finished, one, folder, nameOf(one, finished.trial));
    runs.push({ subject, folder: finished.folder });
  }
  return runs;
}
