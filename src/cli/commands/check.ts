import { hasErrors } from "../../domain/diagnostic.ts";
import { check, CHECK_OPTIONS, LINT_RULES } from "../../operations/check.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { jsonFindings, textFindings } from "../render/findings.ts";
import { table } from "../render/table.ts";
import { targetsArgument } from "../shared-options.ts";

/** Validates eval files and lints skills. Exit 2 when anything is wrong; nothing is run and nothing is written. */
export const command: CliCommand = {
  define(definition) {
    definition.addArgument(targetsArgument());
    defineOptions(definition, CHECK_OPTIONS);
    definition
      .option("--rules", "list the lint rules and stop")
      .option("--json", "print the findings as JSON")
      .option("--config <file>", "a configuration with formats of your own")
      .addHelpText(
        "after",
        `
Examples:
  assay check                      everything below the current directory
  assay check skills/pdf --strict  one skill; notes are errors
  assay check evals.json --json    findings as data
  assay check --rules --profile spec

Exit codes: 0 no errors, 2 errors, or nothing to check.`,
      );
  },
  async run(call) {
    const { args, options, terminal, machine } = call;
    if (options["rules"] === true) return listRules(call);
    const [targets] = args as [string[]];
    const printer = options["json"] === true ? jsonFindings(terminal) : textFindings(terminal);
    const config = options["config"] === undefined ? {} : { config: await call.config() };
    let failed = false;
    for await (const { suites, diagnostics } of check(
      { targets, ...call.given(CHECK_OPTIONS) },
      { machine, ...config },
    )) {
      failed ||= hasErrors(diagnostics);
      printer.part(suites, diagnostics);
    }
    printer.end();
    return failed ? EXIT.wrongInput : EXIT.ok;
  },
};

function listRules({ options, given, terminal }: CommandCall): number {
  if (options["json"] === true) {
    terminal.out(`${JSON.stringify(LINT_RULES, null, 2)}\n`);
    return EXIT.ok;
  }
  const profile = given(CHECK_OPTIONS).profile ?? CHECK_OPTIONS.profile.otherwise;
  const rows = LINT_RULES.map((rule) => [rule.code, rule.severity[profile], rule.explanation]);
  terminal.out(table(["rule", `in ${profile}`, "what it asks for"], rows));
  return EXIT.ok;
}
