import { VIEW_OPTIONS } from "../../operations/view.ts";
import { openBrowser, view } from "../../viewer/server.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";

/** The results in a browser. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("[results]", VIEW_OPTIONS.folder.help);
    defineOptions(definition, VIEW_OPTIONS);
    definition
      .option("--no-open", "only print the link")
      .addHelpText(
        "after",
        "\nThe link lets in one browser, once. Nothing leaves this machine; with --host, whoever has the link can look.\n\nExamples:\n  assay view                           # needs a browser\n  assay view .assay/pdf/iteration-3    # needs a browser\n  assay view ../skill-workspace --port 8123 --no-open    # needs results of skill-creator",
      );
  },
  async run({ args, given, options, terminal, machine, config }) {
    const [folder] = args as [string | undefined];
    const door = { machine, config: await config() };
    return interruptible(
      terminal,
      async (signal) => {
        await using viewer = await view({ ...given(VIEW_OPTIONS), folder }, { ...door, signal });
        terminal.out(`${viewer.url}\n`);
        await using opened =
          options["open"] !== false && terminal.interactive ? await openBrowser(viewer.url, machine) : null;
        if (viewer.isOpen)
          terminal.err("note: other machines can reach this; whoever opens the link first is let in\n");
        terminal.err(
          `${opened !== null ? "opened in your browser" : "open the link in a browser"}; Ctrl-C ends it\n`,
        );
        await new Promise<void>((ended) => signal.addEventListener("abort", () => ended(), { once: true }));
        return EXIT.ok;
      },
      "ending",
    );
  },
};
