import type { Usage } from "../domain/run.ts";
import type { Edit, RefusedEdit } from "../improve/edit.ts";
import { type FailingCheck, failingChecks } from "../improve/failing.ts";
import { suggestEdits } from "../improve/suggestion/suggest.ts";
import { APPLY, EDITS, ONE_SKILL, ELSEWHERE } from "../options/improve.ts";
import { text } from "../options/kind.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { type Given, option, type Settled, settle } from "../options/table.ts";
import { PLACE } from "../options/targets.ts";
import type { ImproveDoor, ImproveEvent } from "./improve.ts";
import { adopt, type Adoption, ensureCommitted } from "./improve/adopt.ts";
import { type SkillChange, changeOf } from "./improve/change.ts";
import { failingTranscripts } from "./improve/failing-transcripts.ts";
import { readFeedback } from "./improve/feedback.ts";
import { proposerOf } from "./improve/judge.ts";
import { learnedIteration, noteChanged, nothingFailing, type NothingFailing } from "./improve/learned.ts";
import { findPlace } from "./improve/place.ts";
import { otherFiles } from "./improve/other-files.ts";
import { skillTextProblem } from "./improve/skill-text.ts";
import { type ProposerCall, withProposer } from "./improve/with-proposer.ts";

/** What `suggest` can be told. */
export const SUGGEST_OPTIONS = {
  ...ONE_SKILL,
  iteration: option("--iteration <name>", text, "with --suggest: learn from this iteration-N instead"),
  ...EDITS,
  ...APPLY,
  ...ELSEWHERE,
  ...PLACE,
  ...MODELS,
  ...CASSETTES,
};
export type SuggestOptions = Given<typeof SUGGEST_OPTIONS>;

export type Suggestions =
  /** No model was asked. */
  | NothingFailing
  | { readonly status: "unanswered"; readonly reason: string; readonly usage: Usage }
  | {
      readonly status: "suggested";
      readonly skillName: string;
      /** The iteration that was learnt from, e.g. `iteration-3`. */
      readonly iteration: string;
      readonly failing: readonly FailingCheck[];
      readonly summary: string;
      /** Those that can be made; none: nothing of what was proposed can. */
      readonly edits: readonly Edit[];
      readonly dropped: readonly RefusedEdit[];
      readonly usage: Usage;
      readonly change: SkillChange;
      readonly adoption: Adoption;
    };

/** One change of a skill from the failing checks of one iteration. Runs nothing. Rejects with the signal's reason. */
export async function suggest(options: SuggestOptions, door: ImproveDoor): Promise<Suggestions> {
  return withProposer(door, (sources) => settle(SUGGEST_OPTIONS, options, sources), suggestOnce);
}

async function suggestOnce({
  settled,
  door,
  models,
  listen,
}: ProposerCall<Settled<typeof SUGGEST_OPTIONS>, ImproveEvent>): Promise<Suggestions> {
  const { machine, signal } = door;
  const place = await findPlace(settled, door);
  const { skill, skillText } = place;
  if (settled.apply) await ensureCommitted(skill.file, machine);
  const found = await learnedIteration(settled.iteration, place, machine);
  const failing = failingChecks(found.state);
  const feedback = await readFeedback(found, machine);
  if (failing.length === 0 && feedback.length === 0) return nothingFailing(found);
  await noteChanged(found, skill, machine);
  const judge = proposerOf(models.find);
  listen({ kind: "asking", judge: judge.name, model: judge.model, wanted: "edits" });
  const suggestion = await suggestEdits(
    {
      skillName: skill.name,
      skillText,
      files: await otherFiles(skill),
      transcripts: models.mask.json(await failingTranscripts(found, failing)),
      failing: models.mask.json(failing),
      feedback: models.mask.json(feedback),
      rejected: [],
      advice: [],
      mostEdits: settled.edits,
    },
    { judge, objection: (changed) => skillTextProblem(skill, changed) },
    signal,
  );
  if (suggestion.status === "unanswered") return suggestion;
  const { text: after, files, ...said } = suggestion;
  const change = await changeOf(place, after, files);
  const adoption: Adoption = settled.apply ? await adopt(change, machine) : { status: "not-asked" };
  return { ...said, skillName: skill.name, iteration: found.name, failing, change, adoption };
}
