import { pick } from "../../operations/options.ts";
import { proposeFromSession, SESSION_OPTIONS } from "../../operations/propose-from-session.ts";
import { propose, PROPOSE_OPTIONS } from "../../operations/propose.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { printFailure } from "../failure.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { draftedCaseText, sessionReport } from "../render/drafted-case.ts";
import { proposedEvalsReport, proposeEventText } from "../render/proposed-evals.ts";

/** Drafts evals of a skill. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("<skill>", "the SKILL.md, skill directory or command file to draft evals for");
    definition.optionsGroup("Make a case of a session:");
    defineOptions(definition, pick(SESSION_OPTIONS, ["fromSession", "expected", "yes", "again"]));
    definition.optionsGroup("Options:");
    defineOptions(definition, PROPOSE_OPTIONS, {
      help: { ...PARTS_HELP, workspace: "where results are (default: .assay in your project)" },
    });
    definition.addHelpText(
      "after",
      `
Proposals are validated, and problems go back to the model once. Code checks that would pass on an empty run are dropped.
Existing files are never overwritten; that is checked before anything is paid.
--from-session turns a session that went wrong into a case, without a model: your request, the files the agent read, and
checks from your corrections, without secrets and personal paths. You see it before it is written.

Examples:
  assay propose skills/new                      # needs a model
  assay propose skills/new --to clauditor       # needs a model
  assay propose skills/pdf --from 1 --output more   # needs a model
  assay propose skills/pdf --from-session session.txt --yes

Exit codes: 0 written, 2 wrong input, 3 no answer that could be used.`,
    );
  },
  async run(call) {
    const { terminal, machine } = call;
    const [skill] = call.args as [string];
    const { fromSession, ...session } = call.given(SESSION_OPTIONS);
    if (typeof fromSession === "string") {
      const proposal = await proposeFromSession(
        { ...session, skill, fromSession },
        { machine, config: await call.config(), on: (drafted) => terminal.err(draftedCaseText(drafted)) },
      );
      sessionReport(proposal, terminal);
      return EXIT.ok;
    }
    const door = {
      machine,
      config: await call.config(),
      on: (event: Parameters<typeof proposeEventText>[0]) => terminal.err(proposeEventText(event)),
    };
    return interruptible(
      terminal,
      async (signal) => {
        const proposed = await propose({ skill, ...call.given(PROPOSE_OPTIONS) }, { ...door, signal });
        proposedEvalsReport(proposed, terminal);
        if (proposed.status !== "proposed") return EXIT.unfinished;
        return proposed.refusal === null ? EXIT.ok : printFailure(proposed.refusal, terminal);
      },
      "interrupted: nothing was written (press Ctrl-C again to quit now)",
    );
  },
};
