import { shownPath } from "../../operations/text.ts";
import { DRAFT_OPTIONS, draftFromEvals } from "../../operations/draft-from-evals.ts";
import { DESCRIPTION_OPTIONS, improveDescription } from "../../operations/improve-description.ts";
import { improve, IMPROVE_OPTIONS, type ImproveDoor } from "../../operations/improve.ts";
import { suggest, SUGGEST_OPTIONS } from "../../operations/suggest.ts";
import type { CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { sayAdoption } from "../render/adoption.ts";
import { descriptionReport } from "../render/description.ts";
import { draftedSkillReport } from "../render/drafted-skill.ts";
import { loopReport } from "../render/improve-loop.ts";
import { suggestionsReport } from "../render/suggestions.ts";
import type { Way } from "./way.ts";

/** Each way of improving a skill: calls its operation, prints what came of it, answers the exit code. */
export const WAYS: Readonly<Record<Way, (call: CommandCall, door: ImproveDoor) => Promise<number>>> = {
  async rounds(call, door) {
    const improvement = await improve({ ...skillOf(call), ...call.given(IMPROVE_OPTIONS) }, door);
    loopReport(improvement, printOf(call));
    const { end, adoption } = improvement;
    const refused = sayAdoption(adoption, "applied", call.terminal);
    if (end.kind === "stopped") return end.why === "interrupted" ? EXIT.interrupted : EXIT.unfinished;
    return refused ?? (end.kind === "no-edits" ? EXIT.unfinished : EXIT.ok);
  },
  async description(call, door) {
    const found = await improveDescription({ ...skillOf(call), ...call.given(DESCRIPTION_OPTIONS) }, door);
    descriptionReport(found, printOf(call));
    const { exit, fresh, adoption } = found;
    const refused = sayAdoption(adoption, "applied", call.terminal);
    if (fresh === null && exit.kind === "stopped" && exit.why === "interrupted") return EXIT.interrupted;
    if (fresh === null) return EXIT.unfinished;
    return refused ?? (exit.kind === "unanswered" ? EXIT.unfinished : EXIT.ok);
  },
  async suggest(call, door) {
    const suggestions = await suggest({ ...skillOf(call), ...call.given(SUGGEST_OPTIONS) }, door);
    suggestionsReport(suggestions, printOf(call));
    if (suggestions.status !== "suggested")
      return suggestions.status === "unanswered" ? EXIT.unfinished : EXIT.ok;
    const { adoption, change, edits } = suggestions;
    const done = `applied to ${change.path}; run it again to see whether it helped`;
    const refused = sayAdoption(adoption, done, call.terminal);
    return refused ?? (edits.length === 0 ? EXIT.unfinished : EXIT.ok);
  },
  async "from-evals"(call, door) {
    const drafted = await draftFromEvals({ ...skillOf(call), ...call.given(DRAFT_OPTIONS) }, door);
    draftedSkillReport(drafted, call.terminal);
    if (drafted.status !== "drafted") return EXIT.unfinished;
    const done = `wrote ${shownPath(drafted.change.file, call.terminal.cwd)}`;
    return sayAdoption(drafted.adoption, done, call.terminal) ?? EXIT.ok;
  },
};

function skillOf({ args }: CommandCall): { readonly skill: string } {
  const [skill] = args as [string];
  return { skill };
}

function printOf({ options, terminal }: CommandCall) {
  return { json: options["json"] === true, terminal };
}
