import type { CardEvidence } from "../../domain/card.ts";
import { type Iteration, speaksForSkill } from "../../domain/iteration.ts";
import { UserError } from "../../domain/user-error.ts";
import { groupBy } from "../../lib/group-by.ts";
import { evidenceOf, isTested } from "../../report/card/evidence.ts";
import { summarize } from "../../report/summarize.ts";
import { readIteration } from "../../store/iteration.ts";
import { listIterations, type NumberedIteration } from "../../store/iterations.ts";
import type { IterationFolder, SuiteFolder } from "../../store/layout.ts";
import { readManifest } from "../../store/manifest.ts";

interface Wanted {
  /** Of the skill as it is now. */
  readonly sha256: string;
  readonly harness: string | null;
  readonly model: string | null;
  readonly signal: AbortSignal;
}

interface ChosenEvidence {
  /** What the results call the skill. */
  readonly name: string;
  readonly evidence: readonly CardEvidence[];
}

/**
 * What a card rests on: of every agent and model the newest benchmark of this version of the skill, and the newest iteration
 * with trigger queries; where there is neither, the newest run. Oldest first. Throws a UserError where nothing was measured.
 */
export async function chooseEvidence(suite: SuiteFolder, wanted: Wanted): Promise<ChosenEvidence> {
  const found = await candidates(suite, wanted);
  const byAgent = groupBy(found, ({ manifest }) => JSON.stringify([manifest.harness, manifest.model]));
  const chosen: CardEvidence[] = [];
  for (const alike of byAgent.values()) chosen.push(...(await newestOf(alike, wanted.signal)));
  const name = found[0]?.manifest.suite;
  if (name !== undefined && chosen.length > 0)
    return { name, evidence: chosen.toSorted((a, b) => a.iteration - b.iteration) };
  throw new UserError(
    "card/nothing-measured",
    `no finished iteration in ${suite.root} measured the skill as it is now`,
    {
      hint: "run assay bench; a change of the skill makes earlier results about another version, and single cases, --smoke and interrupted runs do not count",
    },
  );
}

/** What an iteration's journal says today. Throws a UserError where it says nothing of the skill. */
export async function evidenceIn(
  folder: IterationFolder,
): Promise<{ readonly iteration: Iteration; readonly evidence: CardEvidence }> {
  const { state } = await readIteration(folder);
  const { iteration } = state;
  if (iteration === null)
    throw new UserError(
      "card/no-journal",
      `there is no journal to recompute the card from: ${folder.journal}`,
      {
        hint: "pass --workspace with the results that the card was made from",
      },
    );
  const problem = notEvidence(iteration) ?? (state.ended === "complete" ? null : "it was not finished");
  if (problem !== null)
    throw new UserError(
      "card/not-evidence",
      `iteration ${iteration.number} does not speak for the skill: ${problem}`,
      {
        hint: "a card rests on finished iterations of assay run and assay bench over the whole suite",
      },
    );
  const evaluated = { ...state, iteration };
  const summary = summarize(evaluated, { allowMissing: 0, minPassRate: null });
  return { iteration, evidence: evidenceOf(summary, evaluated) };
}

interface Candidate extends NumberedIteration {
  readonly manifest: Iteration;
}

async function candidates(suite: SuiteFolder, wanted: Wanted): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const one of await listIterations(suite.root)) {
    wanted.signal.throwIfAborted();
    const manifest = await readManifest(one.folder.manifest);
    if (manifest === null || notEvidence(manifest) !== null) continue;
    if (manifest.skill?.sha256 !== wanted.sha256) continue;
    if (wanted.harness !== null && manifest.harness !== wanted.harness) continue;
    if (wanted.model !== null && (manifest.model ?? "default") !== wanted.model) continue;
    found.push({ ...one, manifest });
  }
  return found;
}

function notEvidence(iteration: Iteration): string | null {
  if (iteration.skill === null) return "no skill was installed";
  return speaksForSkill(iteration) ? null : "it tried single cases, or something beside the installed skill";
}

async function newestOf(alike: readonly Candidate[], signal: AbortSignal): Promise<readonly CardEvidence[]> {
  let benchmark: CardEvidence | null = null;
  let triggers: CardEvidence | null = null;
  let run: CardEvidence | null = null;
  for (const { folder } of alike.toReversed()) {
    signal.throwIfAborted();
    const { state } = await readIteration(folder);
    const isUsable = state.ended === "complete" && state.trials.some(({ variant }) => isTested(variant));
    if (!isUsable || state.gradings.size === 0) continue;
    const { evidence } = await evidenceIn(folder);
    if (evidence.runs === 0) continue;
    if (evidence.benchmark?.baseline === "without_skill") benchmark ??= evidence;
    if (evidence.triggers !== null) triggers ??= evidence;
    run ??= evidence;
    if (benchmark !== null && triggers !== null) break;
  }
  const best = [benchmark, triggers].filter((one) => one !== null);
  return [...new Set(best.length > 0 ? best : [run].filter((one) => one !== null))];
}
