import { relative } from "node:path";
import { Argument } from "commander";
import { names } from "../../operations/names.ts";
import { printable } from "../../operations/text.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { candidates, type NamesHere } from "../completion/candidates.ts";
import { SCRIPTS, type Shell, SHELLS } from "../completion/scripts.ts";
import { EXIT } from "../exit.ts";

/** Prints what a shell needs to complete our commands, flags, skills and cases. */
export const command: CliCommand = {
  define(definition) {
    definition
      .addArgument(new Argument("<shell>", "which shell").choices([...SHELLS, "words"]))
      .argument("[words...]", "with words: what is typed so far; prints what may come next")
      .addHelpText(
        "after",
        `
Examples:
  assay completions bash >> ~/.bashrc
  assay completions zsh >> ~/.zshrc
  assay completions fish > ~/.config/fish/completions/assay.fish    # needs fish
  assay completions powershell >> $PROFILE                          # needs PowerShell`,
      );
  },
  async run(call) {
    const [shell, words] = call.args as [Shell | "words", string[]];
    if (shell !== "words") {
      call.terminal.out(SCRIPTS[shell]);
      return EXIT.ok;
    }
    const found = await candidates(words, projectNames(call));
    call.terminal.out(found.map((word) => `${printable(word)}\n`).join(""));
    return EXIT.ok;
  },
};

function projectNames({ machine, terminal }: CommandCall): NamesHere {
  const door = { machine: { ...machine, note: () => {} } };
  return {
    skills: async () => (await names({}, door)).skills.map((path) => relative(terminal.cwd, path) || "."),
    cases: async () => (await names({}, door)).cases,
  };
}
