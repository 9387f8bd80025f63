import { resolve } from "node:path";
import { readScript } from "../../gateway/sim/read-script.ts";
import { startSim } from "../../gateway/sim/server.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { textOption } from "../options/targets.ts";
import { wholeNumber } from "../options/numbers.ts";

/** A scripted model server on loopback, for people who build agents and for our own tests. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("<script>", "YAML or JSON that says what the model answers; see docs/sim.md")
      .option("--port <n>", "listen here (default: a free port)", wholeNumber(1))
      .option("--log <file>", "write each request as a line of JSON")
      .addHelpText(
        "after",
        "\nIt speaks Anthropic Messages, OpenAI Responses, Chat Completions and Gemini.\n\nExamples:\n  assay sim replies.yaml --port 8123\n  ANTHROPIC_BASE_URL=http://127.0.0.1:8123 ANTHROPIC_API_KEY=any claude -p hello",
      );
  },
  async run({ args, options, terminal }) {
    const [script] = args as [string];
    const log = textOption(options["log"]);
    await using sim = await startSim(await readScript(resolve(terminal.cwd, script)), {
      ...(typeof options["port"] === "number" ? { port: options["port"] } : {}),
      ...(log === null ? {} : { logFile: resolve(terminal.cwd, log) }),
    });
    terminal.out(`${sim.url}\n`);
    terminal.err("listening; Ctrl-C ends it\n");
    await interruptible(
      terminal,
      (signal) => new Promise((done) => signal.addEventListener("abort", () => done(0))),
      "ending",
    );
    return EXIT.ok;
  },
};
