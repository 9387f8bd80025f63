import { dirname } from "node:path";
import { UserError } from "../domain/user-error.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import type { GateOptions, GateSource } from "../report/gates.ts";
import type { IterationReport } from "../report/reporter.ts";
import { summarize } from "../report/summarize.ts";
import { trendLine } from "../report/trend/trend-line.ts";
import { readIteration } from "../store/iteration.ts";
import { iterationFolder, suiteFolder } from "../store/layout.ts";
import type { IterationState } from "../store/state.ts";
import { appendTrend } from "../store/trend.ts";
import { triggersFile } from "../store/write/triggers.ts";
import { findAgreement } from "./agreement.ts";
import type { Worked } from "./iterate.ts";
import { keepBenchmark } from "./keep-benchmark.ts";
import { findPartner } from "./partner.ts";

export interface Summarizing extends GateOptions {
  readonly mask: SecretMask;
  /** Null: the iteration is held to its own checks alone. */
  readonly gates: GateSource | null;
}

/** Sums up what the journal says and keeps it: summary.json, triggers.json, benchmark.json, a line of the trend. */
export async function summarizeIteration(
  { folder: root }: Pick<Worked, "folder">,
  options: Summarizing,
): Promise<IterationReport> {
  const { state } = await readIteration(iterationFolder(root));
  const { iteration } = state;
  if (iteration === null) {
    throw new UserError("store/no-iteration", `${root} holds no iteration`, {
      hint: "pass a folder called iteration-N",
    });
  }
  const evaluated = { ...state, iteration };
  const summary = summarize(evaluated, options, {
    partner: await findPartner(root, evaluated),
    gates: (await options.gates?.(evaluated, root)) ?? [],
  });
  const report = {
    summary,
    agreement: await findAgreement(root, { iteration, triggers: summary.triggers }, options),
    evaluated,
    folder: root,
    runFolders: new Map([...state.runs].map(([id, finished]) => [id, finished.folder])),
  };
  await keep(report, state, options.mask);
  return report;
}

/** Writes the files of a report again, whose summary was changed in the light of others. */
export async function keepReport(report: IterationReport, mask: SecretMask): Promise<void> {
  await keep(report, (await readIteration(iterationFolder(report.folder))).state, mask);
}

async function keep(report: IterationReport, state: IterationState, mask: SecretMask): Promise<void> {
  const { summary, evaluated, agreement = null } = report;
  const folder = iterationFolder(report.folder);
  await writeFileAtomic(folder.summary, `${JSON.stringify(mask.json(summary), null, 2)}\n`);
  if (summary.triggers !== null) {
    const file = triggersFile(summary.triggers, agreement);
    await writeFileAtomic(folder.triggers, `${JSON.stringify(mask.json(file), null, 2)}\n`);
  }
  await keepBenchmark(folder, { evaluated, summary, caseFolders: state.caseFolders }, mask);
  if (state.ended === "complete")
    await appendTrend(suiteFolder(dirname(report.folder)).trend, trendLine(summary, evaluated));
}
