import type { Command } from "commander";
import { UserError } from "../../domain/user-error.ts";
import { DRAFT_OPTIONS, draftFromEvals } from "../../operations/draft-from-evals.ts";
import { DESCRIPTION_OPTIONS, improveDescription } from "../../operations/improve-description.ts";
import { improve, IMPROVE_OPTIONS, type ImproveDoor } from "../../operations/improve.ts";
import { suggest, SUGGEST_OPTIONS } from "../../operations/suggest.ts";
import { pick } from "../../options/table.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { sayAdoption } from "../render/adoption.ts";
import { descriptionReport } from "../render/description.ts";
import { draftedSkillReport } from "../render/drafted-skill.ts";
import { improveEventText } from "../render/improve-event.ts";
import { loopReport } from "../render/improve-loop.ts";
import { suggestionsReport } from "../render/suggestions.ts";
import { shownPath } from "../../lib/shown-path.ts";

/** Turns what failed into a better skill, and never overwrites what git could not bring back. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("<skill>", "the SKILL.md, skill directory or command file to improve");
    defineWays(definition);
    defineOptions(definition, IMPROVE_OPTIONS);
    definition.option("--json", "print only JSON");
    definition.addHelpText("after", HELP);
  },
  async run(call) {
    const { terminal, machine } = call;
    const way = wayOf(call);
    const config = await call.config();
    const on: ImproveDoor["on"] = (event) => terminal.err(improveEventText(event));
    return interruptible(
      terminal,
      (signal) => WAYS[way](call, { machine, config, signal, on }),
      "interrupted: the same command continues later (press Ctrl-C again to quit now)",
    );
  },
};

function defineWays(definition: Command): void {
  definition.option("--suggest", "one diff from the failing checks of the newest iteration; runs nothing");
  defineOptions(definition, pick(SUGGEST_OPTIONS, ["iteration"]));
  definition.option("--description", "find a description that fires better, by the skill's trigger queries");
  defineOptions(definition, pick(DRAFT_OPTIONS, ["evals"]));
}

const HELP = `
Without --suggest or --description, versions of the skill are drafted from what fails, run, and compared blind with the best
so far, in rounds; .assay/<skill>/history.json tells them. A version is adopted when it wins by majority and the cases that are
held out do not suffer. Called again, it continues where it ended.
Nothing is written into the skill without --apply, and nothing that is not committed is overwritten.

Examples:
  assay improve skills/pdf --suggest > pdf.diff    then: git apply pdf.diff, in the project's root
  assay improve skills/pdf --suggest --apply
  assay improve skills/pdf --rounds 3 --max-cost 10
  assay improve skills/pdf --description --harness codex --max-cost 5
  assay improve skills/new --from-evals evals/new --apply

Exit codes: 0 done, 2 wrong input, 3 no answer that could be used.`;

type Way = "rounds" | "suggest" | "description" | "from-evals";

function wayOf(call: CommandCall): Way {
  const { options } = call;
  const asked: Readonly<Record<Exclude<Way, "rounds">, unknown>> = {
    suggest: options["suggest"],
    description: options["description"],
    "from-evals": call.given(DRAFT_OPTIONS).evals,
  };
  const ways = (["suggest", "description", "from-evals"] as const).filter((way) => asked[way] !== undefined);
  const [way = "rounds", another] = ways;
  if (another !== undefined) {
    throw new UserError("improve/which-way", "--suggest, --description and --from-evals are different ways", {
      hint: "choose one of them, or none to improve the skill in rounds",
    });
  }
  requireFitting(call, way);
  return way;
}

/** Options that another way than the chosen one has would be ignored without a word. */
function requireFitting(call: CommandCall, way: Way): void {
  const { restart, maxMinutes } = call.given(IMPROVE_OPTIONS);
  const { iteration } = call.given(SUGGEST_OPTIONS);
  const own = [
    { flag: "--iteration", said: iteration, of: "suggest" },
    { flag: "--restart", said: restart, of: "rounds" },
    { flag: "--max-minutes", said: maxMinutes, of: "rounds" },
  ];
  const misplaced = own.find(({ said, of }) => said !== undefined && of !== way);
  if (misplaced === undefined) return;
  const { flag, of } = misplaced;
  throw new UserError(
    "improve/which-way",
    `${flag} says nothing ${of === "rounds" ? "except about rounds" : `without --${of}`}`,
    { hint: "leave it out, or choose the way that it belongs to" },
  );
}

const WAYS: Readonly<Record<Way, (call: CommandCall, door: ImproveDoor) => Promise<number>>> = {
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
