import { sim, SIM_OPTIONS } from "../../operations/sim.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";

/** A scripted model server on loopback, for people who build agents and for our own tests. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("<script>", SIM_OPTIONS.script.help);
    defineOptions(definition, SIM_OPTIONS);
    definition.addHelpText(
      "after",
      "\nIt speaks Anthropic Messages, OpenAI Responses, Chat Completions and Gemini.\n\nExamples:\n  assay sim replies.yaml --port 8123    # needs a terminal of its own\n  ANTHROPIC_BASE_URL=http://127.0.0.1:8123 ANTHROPIC_API_KEY=any claude -p hello    # needs claude",
    );
  },
  async run({ args, given, terminal, machine }) {
    const [script] = args as [string];
    await using server = await sim({ ...given(SIM_OPTIONS), script }, { machine });
    terminal.out(`${server.url}\n`);
    terminal.err("listening; Ctrl-C ends it\n");
    await interruptible(
      terminal,
      (signal) => new Promise((done) => signal.addEventListener("abort", () => done(0))),
      "ending",
    );
    return EXIT.ok;
  },
};
