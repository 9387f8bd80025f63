import { plural, printable } from "../../operations/text.ts";
import type { FormatName } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { convert, CONVERT_OPTIONS, type ConvertedFile } from "../../operations/convert.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";

/** Rewrites an eval file in another format; what the target cannot express stops it, unless `--lossy` is given. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("<file>", CONVERT_OPTIONS.file.help);
    defineOptions(definition, CONVERT_OPTIONS, { mandatory: ["to"] });
    definition.addHelpText(
      "after",
      `
Examples:
  assay convert skills/find-venues/SKILL.eval.json --to skill-creator --lossy
  assay convert skills/pdf/evals/evals.json --to skillet --lossy --output evals-skillet

Exit codes: 0 written, 2 the file cannot be read, or something would be lost.`,
    );
  },
  async run({ args, given, terminal, machine }) {
    const [file] = args as [string];
    const said = given(CONVERT_OPTIONS);
    const to = said.to as FormatName;
    const outcome = await convert({ ...said, file, to }, { machine });
    const listed = outcome.losses.map((loss) => `  - ${printable(loss)}\n`).join("");
    if (outcome.status === "refused") {
      terminal.err(`lost in ${to}:\n${listed}`);
      throw new UserError("convert/lossy", `nothing was written, because ${to} cannot express all of it`, {
        hint: "--lossy writes the rest anyway",
      });
    }
    if (listed !== "") terminal.err(`note: ${to} cannot express everything; lost:\n${listed}`);
    const { files } = outcome;
    if (typeof said.output === "string")
      terminal.err(`wrote ${plural(files.length, "file")} to ${said.output}\n`);
    else terminal.out(onlyText(files));
    return EXIT.ok;
  },
};

function onlyText([first, ...others]: readonly ConvertedFile[]): string {
  if (others.length === 0) return first?.text ?? "";
  throw new UserError("convert/several-files", `this becomes ${others.length + 1} files`, {
    hint: "choose a directory for them with --output",
  });
}
