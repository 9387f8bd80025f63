import { join } from "node:path";
import { Argument } from "commander";
import type { CiVerdict, LaneRecord } from "../../domain/ci.ts";
import {
  CI_COMMENT_OPTIONS,
  CI_REPORT_OPTIONS,
  ciComment,
  ciLane,
  ciReport,
  LANE_OPTIONS,
  type LaneOptions,
} from "../../operations/ci.ts";
import { NO_CONFIG } from "../../operations/config.ts";
import { plural, printable, shownPath } from "../../operations/text.ts";
import { report } from "../../viewer/report.ts";
import type { CliCommand, CommandCall } from "../command.ts";
import { EXIT } from "../exit.ts";
import { interruptible } from "../interrupt.ts";
import { defineOptions } from "../options.ts";
import { PARTS_HELP } from "../parts-help.ts";
import { diagnosticsText } from "../render/diagnostics.ts";
import { defineReporters, progressReporters, reportersOf } from "../reporters.ts";

const STEPS = ["check", "replay", "live", "report", "comment"] as const;

/** CI in steps: lanes leave results behind, one report decides, one comment tells. */
export const command: CliCommand = {
  define(definition) {
    definition
      .addArgument(new Argument("<step>", "what to do").choices(STEPS))
      .argument(
        "[path...]",
        "of a lane: skills (default: here); of report: what lanes left; of comment: the report",
      );
    const { timeoutSeconds: _, ...comment } = CI_COMMENT_OPTIONS;
    const all = { ...comment, ...CI_REPORT_OPTIONS, ...LANE_OPTIONS };
    defineOptions(definition, all, { help: PARTS_HELP });
    defineReporters(definition);
    definition.addHelpText("after", HELP);
  },
  async run(call) {
    const [step] = call.args as [(typeof STEPS)[number], readonly string[]];
    if (step === "report") return runReport(call);
    if (step === "comment") return runComment(call);
    return runLane(call, step);
  },
};

const HELP = `
  check    validate the change's eval files and skills; runs nothing
  replay   run changed skills on recorded answers: no key, no network, also for forks
  live     run changed skills on real models, within --max-cost
  report   join what lanes and shards left, decide, and write comment.md, result.json and report.html
  comment  write or update one comment on the pull or merge request, from result.json

A lane compares the new version with the base's, on the base's evals and settings. Nothing of the change runs but its skills, in the
sandbox. Lanes exit 0 when their results are there, whatever they say: the report decides.

Examples:
  assay ci check
  assay ci replay --base origin/main                   # needs recordings
  assay ci live --base origin/main --max-cost 2        # needs a model service
  assay ci report assay-ci --reporter terminal,github  # needs what a lane left
  assay ci comment assay-ci/report                     # needs a CI service

Exit codes: 0 passed, 1 the gate was missed, 2 wrong input, 3 results are missing.`;

async function runLane(call: CommandCall, lane: LaneRecord["lane"]): Promise<number> {
  const { terminal, machine } = call;
  const [, targets] = call.args as [string, string[]];
  return interruptible(terminal, async (signal) => {
    const options: LaneOptions = { ...call.given(LANE_OPTIONS), lane, targets };
    const record = await ciLane(options, { machine, signal, reporters: progressReporters(terminal) });
    terminal.out(`${diagnosticsText(record.findings, terminal, "out")}${laneText(record)}`);
    return record.problem === null ? EXIT.ok : EXIT.unfinished;
  });
}

function laneText({ lane, skills, findings, problem, shard }: LaneRecord): string {
  const which = shard === null ? lane : `${lane} ${shard.index}/${shard.count}`;
  if (problem !== null) return `${which}: could not be finished: ${printable(problem)}\n`;
  const listed = skills.map(({ name, state, evals }) => {
    const on = evals === null ? "" : `, on the ${evals === "base" ? "base's evals" : "change's own evals"}`;
    return `  ${printable(name)}: ${state}${on}\n`;
  });
  const found = lane === "check" ? `${plural(findings.length, "finding")}; ` : "";
  return `${which}: ${found}${plural(skills.length, "skill")} changed; assay ci report decides\n${listed.join("")}`;
}

async function runReport(call: CommandCall): Promise<number> {
  const { terminal, machine } = call;
  const [, folders] = call.args as [string, string[]];
  const given = { ...call.given(CI_REPORT_OPTIONS), ...(folders.length > 0 && { folders }) };
  // The change may be what is checked out here; its settings have no say in how it is reported.
  const reporters = await reportersOf({ ...call, config: async () => NO_CONFIG });
  const { result, out, reports } = await ciReport(given, { machine, reporters });
  if (reports.length > 0) {
    const made = await report(
      { workspace: join(out, "results"), out: join(out, "report.html") },
      { machine },
    );
    await made.write();
  }
  terminal.err(`wrote ${shownPath(out, terminal.cwd)}\n`);
  terminal.out(`${printable(result.title)}\n`);
  return EXIT_OF[result.verdict];
}

const EXIT_OF: Readonly<Record<CiVerdict, number>> = {
  passed: EXIT.ok,
  failed: EXIT.gateMissed,
  unfinished: EXIT.unfinished,
};

async function runComment(call: CommandCall): Promise<number> {
  const { terminal, machine } = call;
  const [, [folder]] = call.args as [string, string[]];
  const given = { ...call.given(CI_COMMENT_OPTIONS), ...(folder !== undefined && { folder }) };
  const { done, result } = await ciComment(given, { machine });
  terminal.out(
    done === "nobody to tell" ? "nobody to tell: the change is closed or has moved on\n" : `${done}\n`,
  );
  return result === null ? EXIT.unfinished : EXIT.ok;
}
