import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import type { RunReview } from "../../domain/run-pages.ts";
import { objectAt } from "../../lib/loose.ts";
import type { Machine } from "../../machine.ts";
import { readIteration } from "../../store/iteration.ts";
import { listIterations } from "../../store/iterations.ts";
import type { IterationFolder } from "../../store/layout.ts";
import { feedbackReader } from "../../store/read/feedback.ts";
import type { IterationState } from "../../store/state.ts";
import type { FoundIteration } from "../find-run.ts";

/** What a person wrote about the runs of an iteration, one line for each; none without a feedback.json. */
export async function readFeedback(
  { folder, state }: { readonly folder: Pick<IterationFolder, "feedback">; readonly state: IterationState },
  { note }: Pick<Machine, "note">,
): Promise<readonly string[]> {
  const { feedback } = folder;
  if ((await stat(feedback).catch(() => null)) === null) return [];
  const { value, diagnostics } = await feedbackReader.read(feedback);
  for (const diagnostic of diagnostics) note(diagnostic);
  const said = (value?.reviews ?? []).filter((review) => linesOf(review).length > 0);
  const known = runNames(state);
  const [here, elsewhere] = [
    said.filter(({ runId }) => known.has(plain(runId))),
    said.filter(({ runId }) => !known.has(plain(runId))),
  ];
  if (elsewhere.length > 0) {
    const names = elsewhere.map(({ runId }) => JSON.stringify(runId)).join(" or ");
    note(`${feedback}: no run is called ${names}, so that feedback is ignored`);
  }
  return here.flatMap(linesOf);
}

/** What the person wrote, and the verdicts that they call wrong. */
function linesOf({ runId, feedback, checks }: RunReview): readonly string[] {
  const wrong = checks
    .filter(({ agrees }) => !agrees)
    .map(({ checkId, verdict, comment }) => {
      const why = comment.trim() === "" ? "" : `: ${comment.trim()}`;
      return `the verdict on the check ${checkId} (${verdict}) is wrong${why}`;
    });
  return [feedback.trim(), ...wrong].filter((words) => words !== "").map((words) => `${runId}: ${words}`);
}

/** Of the iteration, and of every other one in which the very same skill was run. */
export async function feedbackOnSkill(
  found: FoundIteration,
  machine: Pick<Machine, "note">,
): Promise<readonly string[]> {
  const lines = [...(await readFeedback(found, machine))];
  const own = found.state.iteration?.skill?.sha256;
  if (own === undefined) return lines;
  for (const { folder } of await listIterations(dirname(found.folder.root))) {
    const isOther = folder.root !== found.folder.root;
    if (!isOther || (await stat(folder.feedback).catch(() => null)) === null) continue;
    const { state } = await readIteration(folder);
    if (state.iteration?.skill?.sha256 === own)
      lines.push(...(await readFeedback({ folder, state }, machine)));
  }
  return [...new Set(lines)];
}

/** Everything that people and viewers call a run, or the eval that it is of. */
function runNames({ runs, cases, iteration }: IterationState): ReadonlySet<string> {
  const options: JsonObject = iteration?.options ?? {};
  const sources = Object.keys(objectAt(objectAt(options, "imported"), "folders"));
  const folders = [...runs.values()].flatMap(({ trial, folder }) => [trial.id, folder]);
  const paths = [...folders, ...sources].flatMap((path) => {
    const parts = path.split("/");
    return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  });
  const evals = cases.flatMap(({ id, name, declaredId }) => [
    id,
    `eval-${id}`,
    ...(name === null ? [] : [name, `eval-${name}`]),
    ...(declaredId === null ? [] : [String(declaredId), `eval-${declaredId}`]),
  ]);
  return new Set([...paths, ...evals].map(plain));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
}
