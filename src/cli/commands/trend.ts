import { resolve } from "node:path";
import { Option } from "commander";
import type { TrendLine } from "../../domain/trend.ts";
import { UserError } from "../../domain/user-error.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import type { Evaluated } from "../../report/evaluated.ts";
import { auditChecks, flaggedChecks } from "../../report/trend/audit.ts";
import { badgeOf } from "../../report/trend/badge.ts";
import { type Metric, METRICS, mixtureOf, selectLines } from "../../report/trend/series.ts";
import { readIteration } from "../../store/iteration.ts";
import type { SuiteFolder } from "../../store/layout.ts";
import { readTrend } from "../../store/trend.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { textOption } from "../options/targets.ts";
import { share, wholeNumber } from "../options/numbers.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import type { Terminal } from "../terminal.ts";
import { findSuite } from "../../operations/trend/find-suite.ts";
import { auditText, trendText } from "../render/trend.ts";

/** How a skill has done over its iterations, and which checks have never told anything. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("[skill]", "name or directory of a skill that was run (default: the only one there is)")
      .addOption(new Option("--metric <name>", "what to draw").choices(METRICS).default("pass_rate"))
      .option("--harness <name>", "only iterations with this agent")
      .option("--model <name>", "only iterations with this model; `default` is the client's own")
      .option("--last <n>", "only the newest iterations", wholeNumber(1))
      .option("--mixed", "show iterations of several agents or models in one table all the same")
      .option("--audit", "checks that never fail, never pass, or never differ between the arms")
      .option("--min-runs <n>", "verdicts per arm before a check is audited", wholeNumber(1), 3)
      .option(
        "--min-difference <share>",
        "difference of pass rates that counts as one in an audit",
        share,
        0.05,
      )
      .option("--badge [file]", "the newest result as a shields.io endpoint, to a file or to stdout")
      .option("--workspace <dir>", "where results lie (default: .assay of the project you are in)")
      .option("--json", "print JSON")
      .addHelpText("after", HELP);
  },
  async run({ args, options, terminal }) {
    const [name] = args as [string | undefined];
    const results = resultsFolder(options, terminal);
    const suite = await findSuite(textOption(name), { results, cwd: terminal.cwd });
    const lines = selectLines(await readTrend(suite.trend), {
      harness: textOption(options["harness"]),
      model: textOption(options["model"]),
      last: typeof options["last"] === "number" ? options["last"] : null,
    });
    if (lines.length === 0) throw nothing(suite);
    if (options["badge"] !== undefined) return await printBadge(lines, options["badge"], terminal);
    if (options["mixed"] !== true) refuseMixture(lines);
    if (options["audit"] === true) return await audit(suite, { lines, options, terminal });
    const metric = options["metric"] as Metric;
    terminal.out(
      options["json"] === true
        ? `${JSON.stringify({ metric, iterations: lines }, null, 2)}\n`
        : trendText(lines, metric),
    );
    return EXIT.ok;
  },
};

const HELP = `
Exit codes: 0; with --audit 1 when a check is worth a look; 2 when iterations of several agents or models would be mixed.

Examples:
  assay trend pdf
  assay trend pdf --metric lift --harness codex --model gpt-5.4
  assay trend pdf --audit
  assay trend pdf --badge .github/pdf-badge.json`;

function nothing({ root }: SuiteFolder): UserError {
  return new UserError("trend/nothing", `no finished iteration in ${root} fits`, {
    hint: "unfinished iterations do not count; --harness and --model leave others out",
  });
}

/** Another agent or model is another experiment; drawn as one line it would look like progress. */
function refuseMixture(lines: readonly TrendLine[]): void {
  const mixture = mixtureOf(lines);
  if (mixture.length < 2) return;
  throw new UserError("trend/mixed", `the iterations were run with ${mixture.join(", ")}`, {
    hint: "choose with --harness and --model, or ask for all of them with --mixed",
  });
}

async function printBadge(lines: readonly TrendLine[], file: unknown, terminal: Terminal): Promise<number> {
  const text = `${JSON.stringify(badgeOf(lines.at(-1) ?? null))}\n`;
  if (typeof file === "string") await writeFileAtomic(resolve(terminal.cwd, file), text);
  else terminal.out(text);
  return EXIT.ok;
}

async function audit(
  suite: SuiteFolder,
  {
    lines,
    options,
    terminal,
  }: { lines: readonly TrendLine[]; options: Readonly<Record<string, unknown>>; terminal: Terminal },
): Promise<number> {
  const iterations: Evaluated[] = [];
  for (const { iteration: number } of lines) {
    const { state } = await readIteration(suite.iteration(number));
    if (state.iteration !== null) iterations.push({ ...state, iteration: state.iteration });
  }
  const checks = auditChecks(iterations, {
    minRuns: Number(options["minRuns"]),
    minDifference: Number(options["minDifference"]),
  });
  const flagged = flaggedChecks(checks);
  terminal.out(
    options["json"] === true
      ? `${JSON.stringify({ iterations: iterations.length, checks }, null, 2)}\n`
      : auditText(checks, flagged, iterations.length),
  );
  return flagged.length === 0 ? EXIT.ok : EXIT.gateMissed;
}
