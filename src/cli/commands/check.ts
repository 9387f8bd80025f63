import { Option } from "commander";
import { type Diagnostic, hasErrors } from "../../domain/diagnostic.ts";
import { PROFILES, type Profile, RULES } from "../../load/lint/rules.ts";
import { loadEach } from "../../load/load.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineTargets, loadOptions, strictOption } from "../options/targets.ts";
import { type FindingsPrinter, jsonFindings, textFindings } from "../render/findings.ts";
import { table } from "../render/table.ts";

/** Validates eval files and lints skills. Exit 2 when anything is wrong; nothing is run and nothing is written. */
export const command: CliCommand = {
  define(definition) {
    defineTargets(definition);
    definition
      .addOption(
        new Option("--profile <name>", "what skills are held to").choices(PROFILES).default("claude-code"),
      )
      .addOption(strictOption())
      .option("--rules", "list the lint rules and stop")
      .option("--json", "print the findings as JSON")
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
    const { args, options, terminal } = call;
    if (options["rules"] === true) return listRules(call);
    const [targets] = args as [string[]];
    const printer = options["json"] === true ? jsonFindings(terminal) : textFindings(terminal);
    const failed = await check(targets, call, printer);
    printer.end();
    return failed ? EXIT.wrongInput : EXIT.ok;
  },
};

/** Says what there is to say as it is found, so that memory does not grow with the number of files. */
async function check(
  targets: readonly string[],
  { options, terminal }: CommandCall,
  printer: FindingsPrinter,
): Promise<boolean> {
  const strict = options["strict"] === true;
  let failed = false;
  for await (const { suites, diagnostics } of loadEach(
    targets,
    loadOptions(options, terminal, options["profile"] as Profile),
  )) {
    const found = strict ? diagnostics.map(asError) : diagnostics;
    failed ||= hasErrors(found);
    printer.part(suites, inOrder(found));
  }
  return failed;
}

function asError(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "error" };
}

/** By position within a file; files stay in the order in which they were read. */
function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = new Map<string, number>();
  const fileOf = ({ at }: Diagnostic) => at?.file ?? "";
  for (const diagnostic of diagnostics)
    if (!files.has(fileOf(diagnostic))) files.set(fileOf(diagnostic), files.size);
  return diagnostics.toSorted(
    (a, b) =>
      (files.get(fileOf(a)) ?? 0) - (files.get(fileOf(b)) ?? 0) ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
}

function listRules({ options, terminal }: CommandCall): number {
  if (options["json"] === true) {
    terminal.out(`${JSON.stringify(RULES, null, 2)}\n`);
    return EXIT.ok;
  }
  const profile = options["profile"] as Profile;
  const rows = RULES.map((rule) => [rule.code, rule.severity[profile], rule.explanation]);
  terminal.out(table(["rule", `in ${profile}`, "what it asks for"], rows));
  return EXIT.ok;
}
