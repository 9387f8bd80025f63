import {
  auditTrend,
  AUDIT_OPTIONS,
  BADGE_OPTIONS,
  trend,
  trendBadge,
  TREND_OPTIONS,
} from "../../operations/trend.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { defineOptions } from "../options.ts";
import { auditText, trendText } from "../render/trend.ts";
import { lookOf } from "../reporters.ts";

/** How a skill has done over its iterations, and which checks have never told anything. */
export const command: CliCommand = {
  define(definition) {
    definition.argument("[skill]", TREND_OPTIONS.skill.help);
    defineOptions(definition, { ...TREND_OPTIONS, ...AUDIT_OPTIONS });
    definition
      .option(
        "--audit",
        "find checks that never fail, never pass, or never differ with and without the skill",
      )
      .option("--badge [file]", "write the newest result as a shields.io endpoint, to a file or stdout")
      .option("--json", "print JSON")
      .addHelpText("after", HELP);
  },
  async run(call) {
    if (call.options["badge"] !== undefined) return await printBadge(call);
    return call.options["audit"] === true ? await printAudit(call) : await printTrend(call);
  },
};

const HELP = `
Exit codes: 0; with --audit 1 when a check is worth a look; 2 when iterations of several agents or models would be mixed.

Examples:
  assay trend pdf
  assay trend skills/pdf --metric seconds --last 5
  assay trend pdf --audit
  assay trend pdf --badge pdf-badge.json`;

async function printTrend(call: CommandCall): Promise<number> {
  const found = await trend({ ...call.given(TREND_OPTIONS), skill: skillOf(call) }, await doorOf(call));
  const { metric, points } = found;
  call.terminal.out(
    call.options["json"] === true
      ? `${JSON.stringify({ metric, iterations: points.map(({ line }) => line) }, null, 2)}\n`
      : trendText(found, lookOf(call.terminal).columns),
  );
  return EXIT.ok;
}

async function printAudit(call: CommandCall): Promise<number> {
  const audit = await auditTrend({ ...call.given(AUDIT_OPTIONS), skill: skillOf(call) }, await doorOf(call));
  const { iterations, checks, flagged } = audit;
  call.terminal.out(
    call.options["json"] === true
      ? `${JSON.stringify({ iterations, checks }, null, 2)}\n`
      : auditText(audit, lookOf(call.terminal).columns),
  );
  return flagged.length === 0 ? EXIT.ok : EXIT.gateMissed;
}

async function printBadge(call: CommandCall): Promise<number> {
  const file = call.options["badge"];
  const output = typeof file === "string" ? file : null;
  const badge = await trendBadge(
    { ...call.given(BADGE_OPTIONS), skill: skillOf(call), output },
    await doorOf(call),
  );
  if (output === null) call.terminal.out(`${JSON.stringify(badge)}\n`);
  return EXIT.ok;
}

function skillOf({ args }: CommandCall): string | undefined {
  const [skill] = args as [string | undefined];
  return skill;
}

async function doorOf({ machine, config }: CommandCall) {
  return { machine, config: await config() };
}
