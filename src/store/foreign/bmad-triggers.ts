import { existsSync } from "node:fs";
import { join } from "node:path";
import { leftOut } from "../../domain/left-out.ts";
import { listAt, type Loose, numberOrNull, objectAt, textAt, textOrNull } from "../../lib/loose.ts";
import { type ForeignCheck, type ForeignRun, NOTHING_KEPT, problemAt, type Report } from "./foreign.ts";
import { looseFile } from "./loose-file.ts";

/** What a trigger measurement of BMad came to. */
interface BmadTriggers {
  readonly skillName: string | null;
  readonly runs: readonly ForeignRun[];
}

/** Null: there is none, or it asked nothing. */
export async function bmadTriggers(root: string, report: Report): Promise<BmadTriggers | null> {
  const path = [root, join(root, "triggers")]
    .map((folder) => join(folder, "triggers-result.json"))
    .find((file) => existsSync(file));
  const told = path === undefined ? null : await looseFile(path, report);
  if (told === null || path === undefined) return null;
  if (textAt(told, "status") === "skipped")
    report(
      problemAt(
        path,
        "not-measured",
        `nothing was asked: ${textAt(told, "reason") || "BMad gives no reason"}`,
      ),
    );
  const runs = listAt(told, "results").flatMap((one, index) =>
    queryRuns(objectAt(one), { index, path, report }),
  );
  return runs.length === 0 ? null : { skillName: textOrNull(told, "skill_name"), runs };
}

function queryRuns(
  told: Loose,
  { index, path, report }: { index: number; path: string; report: Report },
): readonly ForeignRun[] {
  const query = textOrNull(told, "query");
  const expected = told["should_trigger"];
  const [runs, fired] = [numberOrNull(told, "runs"), numberOrNull(told, "triggers")];
  const odd = (why: string) => {
    report(problemAt(path, "odd-query", `query ${index + 1} is left out: ${why}`));
    return [];
  };
  if (query === null || typeof expected !== "boolean") return odd("it has no query, or no should_trigger");
  if (runs === null || fired === null || !isCount(runs) || !isCount(fired))
    return odd("it does not say in how many runs it fired");
  if (fired > runs) return odd(`it fired in ${fired} of ${runs} runs`);
  noteOther(told, { rate: fired / runs, index, path, report });
  const head = {
    ...NOTHING_KEPT,
    evalId: queryId(index),
    name: null,
    prompt: query,
    variant: "with_skill",
    checks: [firesCheck(expected)],
  } as const;
  if (runs === 0) {
    const outcome = leftOut("setup-skipped", "BMad has no run of this query");
    return [{ ...head, repetition: 1, grading: null, outcome, trigger: { expected, fired: false } }];
  }
  return Array.from({ length: runs }, (_, at): ForeignRun => {
    const isFired = at < fired;
    const evidence = isFired ? "the skill fired" : "the skill did not fire";
    const status = isFired === expected ? "passed" : "failed";
    return {
      ...head,
      repetition: at + 1,
      grading: {
        verdicts: [{ checkId: "fires", status, evidence, score: null, entry: null }],
        claims: [],
        evalFeedback: null,
      },
      trigger: { expected, fired: isFired },
      notes: [`BMad says that it fired in ${fired} of ${runs} runs, but not in which ones`],
    };
  });
}

/** More would be no measurement but a slip. */
const MOST_RUNS = 1000;

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MOST_RUNS;
}

/** As the loader of trigger sets calls them, so that queries are known again. */
function queryId(index: number): string {
  return `q${String(index + 1).padStart(3, "0")}`;
}

function firesCheck(expected: boolean): ForeignCheck {
  return { id: "fires", layer: "trigger", text: expected ? "the skill fires" : "the skill does not fire" };
}

function noteOther(
  told: Loose,
  { rate, index, path, report }: { rate: number; index: number; path: string; report: Report },
): void {
  const said = numberOrNull(told, "trigger_rate");
  if (said === null || Number.isNaN(rate) || Math.abs(said - rate) < 0.0051) return;
  report(
    problemAt(
      path,
      "other-count",
      `query ${index + 1}: trigger_rate is ${said}, counted ${Number(rate.toFixed(4))}; the count is used`,
    ),
  );
}
