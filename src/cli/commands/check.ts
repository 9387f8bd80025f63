import { Option } from "commander";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import type { Suite } from "../../domain/suite.ts";
import { PROFILES, type Profile, RULES } from "../../load/lint/rules.ts";
import { loadTargets } from "../../load/load.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineTargets, loadOptions, strictOption } from "../load-options.ts";
import { plural } from "../render/plural.ts";
import { renderDiagnostics } from "../render/diagnostics.ts";
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
        "\nExamples:\n  assay check                      everything below the current directory\n  assay check skills/pdf --strict  one skill, notes are errors\n  assay check evals.json --json    findings as data",
      );
  },
  async run(call) {
    if (call.options["rules"] === true) return listRules(call);
    const [targets] = call.args as [string[]];
    const profile = call.options["profile"] as Profile;
    const { suites, diagnostics } = await loadTargets(
      targets,
      loadOptions(call.options, call.terminal, profile),
    );
    const found = call.options["strict"] === true ? diagnostics.map(asError) : diagnostics;
    const failed = found.some((diagnostic) => diagnostic.severity === "error");
    if (call.options["json"] === true) printJson(found, suites, call);
    else printFindings(found, suites, call);
    return failed ? EXIT.wrongInput : EXIT.ok;
  },
};

function asError(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "error" };
}

function printJson(
  diagnostics: readonly Diagnostic[],
  suites: readonly Suite[],
  { terminal }: CommandCall,
): void {
  const found = suites.map((suite) => ({
    skill: suite.name,
    files: suite.files.map(({ path, format, dialect }) => ({ path, format, dialect })),
    cases: suite.cases.length,
  }));
  terminal.out(`${JSON.stringify({ diagnostics, suites: found }, null, 2)}\n`);
}

function printFindings(
  diagnostics: readonly Diagnostic[],
  suites: readonly Suite[],
  { terminal }: CommandCall,
): void {
  terminal.out(renderDiagnostics(diagnostics, { decorated: terminal.decorated.out, cwd: terminal.cwd }));
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  const notes = diagnostics.length - errors;
  const cases = suites.reduce((sum, suite) => sum + suite.cases.length, 0);
  const files = suites.reduce((sum, suite) => sum + suite.files.length, 0);
  terminal.out(
    `${errors === 0 ? "ok" : "not ok"}: ${plural(suites.length, "skill")}, ${plural(files, "eval file")}, ${plural(cases, "case")}; ${plural(errors, "error")}, ${plural(notes, "note")}\n`,
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
