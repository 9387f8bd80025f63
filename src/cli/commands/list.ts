import { money, thousands } from "../../operations/text.ts";
import type { Plan } from "../../domain/plan.ts";
import type { Case, Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { list, type ListedSuite, LIST_OPTIONS, listedCase, listedSuite } from "../../operations/list.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { table } from "../render/table.ts";
import { lookOf } from "../reporters.ts";
import { configOption, targetsArgument } from "../shared-options.ts";

/** Shows what would run. What cannot be loaded is said and left out, with exit 2. */
export const command: CliCommand = {
  define(definition) {
    definition.addArgument(targetsArgument());
    defineOptions(definition, LIST_OPTIONS, { help: PARTS_HELP });
    definition
      .addOption(configOption())
      .option("--cases", "one line per case instead of one per skill")
      .option("--json", "print as JSON")
      .addHelpText(
        "after",
        `
Checks are decided by code, by code on values that a model extracted, or by a judge. A case without checks is ungraded.

Examples:
  assay list examples
  assay list skills/pdf --cases
  assay list skills --json`,
      );
  },
  async run(call) {
    const { args, options, terminal, machine } = call;
    const [targets] = args as [string[]];
    const door = { machine, config: await call.config() };
    const { suites, plans, errors } = await list({ targets, ...call.given(LIST_OPTIONS) }, door);
    if (options["json"] === true) {
      const listed = suites.map((suite) => ({
        ...listedSuite(suite),
        cases: suite.cases.map(listedCase),
        plans: plans
          .filter((plan) => plan.suite.name === suite.name)
          .map(({ harness, model, estimate }) => ({ harness, model, estimate })),
      }));
      terminal.out(`${JSON.stringify(listed, null, 2)}\n`);
    } else if (suites.length > 0) {
      const { columns } = lookOf(terminal);
      terminal.out(
        options["cases"] === true ? caseTable(suites, columns) : suiteTable(suites.map(listedSuite), columns),
      );
      terminal.out(`\n${planTable(plans, columns)}`);
    }
    if (errors.length === 0) return EXIT.ok;
    throw new UserError("load/invalid", "some of what was named cannot be used and is not listed", {
      hint: "fix them first; assay check lists everything",
      diagnostics: errors,
    });
  },
};

function suiteTable(suites: readonly ListedSuite[], columns: number | null): string {
  return table(
    ["skill", "format", "cases", "by code", "extracted", "by judge", "triggers", "ungraded"],
    suites.map(({ skill, file, formats, tasks, checks, triggers, ungraded }) => [
      file === null ? `${skill} (skill not found)` : skill,
      formats.join(", ") || "(no evals)",
      tasks,
      checks.L1,
      checks.L2,
      checks.L3,
      triggers,
      ungraded,
    ]),
    columns,
  );
}

/** What is not known is said to be, not shown as nothing. */
function planTable(plans: readonly Plan[], columns: number | null): string {
  const known = (value: number | null, show: (value: number) => string) =>
    value === null ? "unknown" : show(value);
  const rows = plans.map(({ suite, harness, model, estimate }) => [
    suite.name,
    harness,
    model ?? "(its own)",
    estimate.repeats === 0 ? estimate.runs : `${estimate.runs} to ${estimate.runs + estimate.repeats}`,
    known(estimate.minutes, (minutes) => (minutes < 1 ? "under 1" : String(Math.round(minutes)))),
    known(estimate.inputTokens, thousands),
    known(estimate.outputTokens, thousands),
    known(estimate.costUsd, money),
    estimate.basis,
  ]);
  return table(
    ["estimate", "agent", "model", "runs", "minutes", "tokens in", "out", "cost", "based on"],
    rows,
    columns,
  );
}

function caseTable(suites: readonly Suite[], columns: number | null): string {
  const rows = suites.flatMap((suite) =>
    suite.cases.map((one) => [suite.name, one.id, one.kind, one.checks.length, promptLine(one)]),
  );
  return table(["skill", "case", "kind", "checks", "prompt"], rows, columns);
}

function promptLine({ prompt }: Case): string {
  const text = prompt.kind === "turns" ? prompt.turns.join(" ⏎ ") : `(skill) ${prompt.args}`;
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 70 ? `${line.slice(0, 67)}...` : line;
}
