import { add, ADD_OPTIONS } from "../../operations/add.ts";
import { printable, shownPath } from "../../operations/text.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";

/** Records a failure as a case. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("[skill]", "the SKILL.md, skill directory or command file (default: here)");
    defineOptions(definition, ADD_OPTIONS, {
      help: { workspace: "where results are (default: .assay in your project)" },
    });
    definition.addHelpText(
      "after",
      `
The case goes into the skill's evals.json if there is one, otherwise into a new Skillet file. If a case already asks the same,
it is named and nothing is written.

Examples:
  assay add skills/pdf --prompt "Merge a.pdf and b.pdf" --expected "One file with all pages of both, in that order"
  assay add skills/pdf --from .assay/pdf/iteration-3/eval-1/with_skill/run-1 --expected "It keeps the bookmarks" --again

Exit codes: 0 the case was written, 2 wrong input or a duplicate.`,
    );
  },
  async run(call) {
    const { terminal, machine } = call;
    const [skill] = call.args as [string | undefined];
    const { written, name } = await add(
      { ...(skill !== undefined && { skill }), ...call.given(ADD_OPTIONS) },
      { machine, config: await call.config() },
    );
    for (const path of written) terminal.out(`${printable(shownPath(path, terminal.cwd))}\n`);
    terminal.err(`recorded as ${printable(name)}; try it with assay controls and assay run\n`);
    return EXIT.ok;
  },
};
