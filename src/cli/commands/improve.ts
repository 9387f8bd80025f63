import type { Command } from "commander";
import { DRAFT_OPTIONS } from "../../operations/draft-from-evals.ts";
import { IMPROVE_OPTIONS, type ImproveDoor } from "../../operations/improve.ts";
import { SUGGEST_OPTIONS } from "../../operations/suggest.ts";
import { pick } from "../../operations/options.ts";
import type { CliCommand } from "../command.ts";
import { wayOf } from "../improve/way.ts";
import { WAYS } from "../improve/ways.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { fitted } from "../render/fitted.ts";
import { improveEventText } from "../render/improve-event.ts";
import { configOption } from "../shared-options.ts";

/** Turns what failed into a better skill, and never overwrites what git could not bring back. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("<skill>", "the SKILL.md, skill directory or command file to improve");
    definition.optionsGroup("What to do:");
    defineWays(definition);
    definition.optionsGroup("Options:");
    defineOptions(definition, IMPROVE_OPTIONS, {
      help: {
        ...PARTS_HELP,
        harnesses: "agent to run",
        models: "model for the agent",
        runs: "runs per case while exploring (default: the case's own, or 3)",
      },
    });
    definition.addOption(configOption()).option("--json", "print only JSON");
    definition.addHelpText("after", HELP);
  },
  async run(call) {
    const { terminal, machine } = call;
    const way = wayOf(call);
    const config = await call.config();
    const on: ImproveDoor["on"] = (event) => terminal.err(fitted(improveEventText(event), terminal, "err"));
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
Without --suggest or --description, versions of the skill are drafted from what fails and run on some of the cases, in rounds;
.assay/<skill>/history.json lists them. The best one is run again on all cases beside the original, and adopted only if that
confirms it. The same command continues where it stopped; --max-cost covers all calls until --restart.
Nothing is written into the skill without --apply, and uncommitted work is never overwritten.

Examples:
  assay improve skills/pdf --suggest > pdf.diff          # needs a model; then: git apply pdf.diff
  assay improve skills/pdf --suggest --apply             # needs a model
  assay improve skills/pdf --rounds 3 --max-cost 10      # needs a model
  assay improve skills/pdf --description --max-cost 5    # needs a model
  assay improve skills/new --from-evals evals/new        # needs a model

Exit codes: 0 done, 2 wrong input, 3 no answer that could be used.`;
