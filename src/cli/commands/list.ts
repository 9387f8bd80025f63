import type { Layer } from "../../domain/check.ts";
import { hasErrors } from "../../domain/diagnostic.ts";
import type { Case, Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { loadTargets } from "../../load/load.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineTargets, loadOptions } from "../load-options.ts";
import { table } from "../render/table.ts";

/** Shows what would run. */
export const command: CliCommand = {
  define(definition) {
    defineTargets(definition);
    definition
      .option("--cases", "one line per case instead of one per skill")
      .option("--json", "print as JSON")
      .addHelpText("after", "\nExamples:\n  assay list examples\n  assay list skills/pdf --cases");
  },
  async run({ args, options, terminal }) {
    const [targets] = args as [string[]];
    const { suites, diagnostics } = await loadTargets(targets, loadOptions(options, terminal, null));
    if (hasErrors(diagnostics)) {
      throw new UserError("load/invalid", "some files cannot be used", {
        hint: "put right what is listed above, or leave those files out",
        diagnostics: diagnostics.filter((diagnostic) => diagnostic.severity === "error"),
      });
    }
    const listed = suites.map(describeSuite);
    if (options["json"] === true) terminal.out(`${JSON.stringify(listed, null, 2)}\n`);
    else terminal.out(options["cases"] === true ? caseTable(suites) : suiteTable(listed));
    return EXIT.ok;
  },
};

interface ListedSuite {
  readonly skill: string;
  readonly formats: readonly string[];
  readonly cases: number;
  readonly checks: Readonly<Record<"L1" | "L2" | "L3", number>>;
  readonly triggers: number;
  readonly ungraded: number;
  /** With the skill only, or also the baseline that `bench` adds. */
  readonly variants: readonly string[];
}

function describeSuite(suite: Suite): ListedSuite {
  const tasks = suite.cases.filter((one) => one.kind === "task");
  return {
    skill: suite.name,
    formats: [...new Set(suite.files.map((file) => file.format))],
    cases: tasks.length,
    checks: { L1: countChecks(tasks, "L1"), L2: countChecks(tasks, "L2"), L3: countChecks(tasks, "L3") },
    triggers: suite.cases.length - tasks.length,
    ungraded: tasks.filter((one) => one.checks.length === 0).length,
    variants: [suite.skill === null ? "without_skill" : "with_skill"],
  };
}

function countChecks(cases: readonly Case[], layer: Layer): number {
  return cases.reduce((sum, one) => sum + one.checks.filter((check) => check.layer === layer).length, 0);
}

function suiteTable(suites: readonly ListedSuite[]): string {
  return table(
    ["skill", "format", "cases", "L1", "L2", "L3", "triggers", "ungraded", "variants"],
    suites.map(({ skill, formats, cases, checks, triggers, ungraded, variants }) => [
      skill,
      formats.join(", "),
      cases,
      checks.L1,
      checks.L2,
      checks.L3,
      triggers,
      ungraded,
      variants.join(", "),
    ]),
  );
}

function caseTable(suites: readonly Suite[]): string {
  const rows = suites.flatMap((suite) =>
    suite.cases.map((one) => [suite.name, one.id, one.kind, one.checks.length, promptLine(one)]),
  );
  return table(["skill", "case", "kind", "checks", "prompt"], rows);
}

function promptLine({ prompt }: Case): string {
  const text = prompt.kind === "turns" ? prompt.turns.join(" ⏎ ") : `(skill) ${prompt.args}`;
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 70 ? `${line.slice(0, 67)}...` : line;
}
