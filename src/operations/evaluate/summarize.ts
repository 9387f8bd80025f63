import { dirname } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import type { Worked } from "../../pipeline.ts";
import type { GateOptions } from "../../report/gates.ts";
import type { IterationReport } from "../../report/reporter.ts";
import { summarize } from "../../report/summarize.ts";
import { trendLine } from "../../report/trend/trend-line.ts";
import { readIteration } from "../../store/iteration.ts";
import { iterationFolder, suiteFolder } from "../../store/layout.ts";
import { appendTrend } from "../../store/trend.ts";
import { triggersFile } from "../../store/write/triggers.ts";
import { keepBenchmark } from "../bench/keep-benchmark.ts";
import { findPartner } from "../bench/partner.ts";
import { findAgreement } from "./agreement.ts";

/** Sums up what the journal says, and nothing else, and keeps it: summary.json, triggers.json, benchmark.json, a line of the trend. */
export async function summarizeIteration(
  { folder: root }: Pick<Worked, "folder">,
  options: GateOptions & { readonly mask: SecretMask },
): Promise<IterationReport> {
  const folder = iterationFolder(root);
  const { state } = await readIteration(folder);
  const { iteration } = state;
  if (iteration === null) {
    throw new UserError("store/no-iteration", `${root} holds no iteration`, {
      hint: "name a folder called iteration-N",
    });
  }
  const evaluated = { ...state, iteration };
  const summary = summarize(evaluated, options, await findPartner(root, evaluated));
  await writeFileAtomic(folder.summary, `${JSON.stringify(options.mask.json(summary), null, 2)}\n`);
  const agreement = await findAgreement(root, { iteration, triggers: summary.triggers }, options);
  if (summary.triggers !== null) {
    const file = triggersFile(summary.triggers, agreement);
    await writeFileAtomic(folder.triggers, `${JSON.stringify(options.mask.json(file), null, 2)}\n`);
  }
  await keepBenchmark(folder, { evaluated, summary, caseFolders: state.caseFolders }, options.mask);
  if (state.ended === "complete") {
    await appendTrend(suiteFolder(dirname(root)).trend, trendLine(summary, evaluated));
  }
  return {
    summary,
    agreement,
    evaluated,
    folder: root,
    runFolders: new Map([...state.runs].map(([id, finished]) => [id, finished.folder])),
  };
}
