import { hasErrors } from "../../domain/diagnostic.ts";
import { check, CHECK_OPTIONS, LINT_RULES, SCAN_RULES } from "../../operations/check.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { widthOf } from "../render/fitted.ts";
import { type FindingsPrinter, jsonFindings, textFindings } from "../render/findings.ts";
import { sarifFindings } from "../render/sarif.ts";
import { table } from "../render/table.ts";
import { targetsArgument } from "../shared-options.ts";

/** Validates eval files, lints and scans skills. Exit 2 when anything is wrong; nothing is run and nothing is written. */
export const command: CliCommand = {
  define(definition) {
    definition.addArgument(targetsArgument());
    defineOptions(definition, CHECK_OPTIONS);
    definition
      .option("--rules", "list the rules and stop")
      .option("--json", "print the findings as JSON")
      .option("--sarif", "print the findings as SARIF, for code scanning services")
      .option("--config <file>", "a configuration with formats of your own")
      .addHelpText(
        "after",
        `
Examples:
  assay check                        # everything below the current directory
  assay check skills/pdf --strict    # one skill; notes are errors
  assay check skills/pdf/evals/evals.json --json
  assay check --sarif > out.sarif    # for code scanning services
  assay check --rules --profile spec

Exit codes: 0 no errors, 2 errors, or nothing to check.`,
      );
  },
  async run(call) {
    const { args, options, machine } = call;
    if (options["rules"] === true) return listRules(call);
    const [targets] = args as [string[]];
    const printer = printerFor(call);
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

function printerFor({ options, terminal }: CommandCall): FindingsPrinter {
  if (options["json"] === true) return jsonFindings(terminal);
  return options["sarif"] === true ? sarifFindings(terminal) : textFindings(terminal);
}

function listRules({ options, given, terminal }: CommandCall): number {
  if (options["json"] === true) {
    terminal.out(`${JSON.stringify([...LINT_RULES, ...SCAN_RULES], null, 2)}\n`);
    return EXIT.ok;
  }
  const profile = given(CHECK_OPTIONS).profile ?? CHECK_OPTIONS.profile.otherwise;
  const rows = LINT_RULES.map((rule) => [rule.code, rule.severity[profile], rule.explanation]);
  const scanned = SCAN_RULES.map((rule) => [rule.code, `${rule.risk} risk`, rule.explanation]);
  terminal.out(
    table(["rule", `in ${profile}`, "what it asks for"], [...rows, ...scanned], widthOf(terminal, "out")),
  );
  return EXIT.ok;
}
