import type { FailingCheck } from "../../improve/failing.ts";
import { evidencePack, packParts } from "../../grade/evidence/pack.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { FoundIteration } from "../find-run.ts";
import { storedRuns } from "../grade/stored.ts";

const MOST_RUNS = 3;
/** About 2,500 tokens each. */
const RUN_CHARS = 10_000;

/** What agents did in runs in which these checks failed, packed around what the checks say: one run of each of the first cases. */
export async function failingTranscripts(
  found: FoundIteration,
  failing: readonly FailingCheck[],
): Promise<readonly string[]> {
  const byCase = [...groupBy(failing, ({ caseId }) => caseId)].slice(0, MOST_RUNS);
  const shown: string[] = [];
  for (const [caseId, checks] of byCase) {
    const ids = new Set(checks.map(({ id }) => id.slice(caseId.length + 1)));
    const cases = found.state.cases.filter(({ id }) => id === caseId);
    const runs = await storedRuns(found, cases);
    const failed = runs.find(({ subject }) => {
      const verdicts = found.state.gradings.get(subject.trial.id)?.verdicts ?? [];
      return verdicts.some(({ checkId, status }) => status === "failed" && ids.has(checkId));
    });
    if (failed === undefined) continue;
    const pack = await evidencePack(failed.subject, {
      statements: checks.map(({ text }) => text),
      budgetChars: RUN_CHARS,
    });
    const text = packParts(pack, "run").flatMap((part) => (part.kind === "text" ? [part.text] : []));
    shown.push(
      `a run of ${caseId}, in which ${checks.map(({ id }) => id).join(", ")} failed:\n${text.join("\n")}`,
    );
  }
  return shown;
}
