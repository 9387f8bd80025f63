import type { TrendLine } from "../../domain/trend.ts";
import { UserError } from "../../domain/user-error.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import type { Machine } from "../../machine.ts";
import { flag, text, wholeNumber } from "../../options/kind.ts";
import { option, optionOr, type Settled } from "../../options/table.ts";
import { PLACE } from "../../options/targets.ts";
import { mixtureOf, selectLines } from "../../report/trend/series.ts";
import type { SuiteFolder } from "../../store/layout.ts";
import { readTrend } from "../../store/trend.ts";
import { findSuite } from "./find-suite.ts";

/** Which iterations. */
export const CHOSEN = {
  skill: option(null, text, "name or directory of a skill that was run (default: the only one there is)"),
  harness: option("--harness <name>", text, "only iterations with this agent"),
  model: option("--model <name>", text, "only iterations with this model; `default` is the client's own"),
  last: option("--last <n>", wholeNumber(1), "only the newest iterations"),
  ...PLACE,
};

export const MIXED = {
  mixed: optionOr(
    "--mixed",
    { kind: flag, otherwise: false },
    "show iterations of several agents or models in one table",
  ),
};

export interface ChosenLines {
  readonly suite: SuiteFolder;
  /** Oldest first. */
  readonly lines: readonly [TrendLine, ...TrendLine[]];
}

/** `partial`: also iterations of some cases only. */
export async function chosenLines(
  chosen: Settled<typeof CHOSEN> & { readonly partial?: boolean },
  machine: Machine,
): Promise<ChosenLines> {
  const results = resultsFolder(chosen.workspace, machine);
  const suite = await findSuite(chosen.skill, { results, machine });
  const [first, ...later] = selectLines(await readTrend(suite.trend), chosen);
  if (first !== undefined) return { suite, lines: [first, ...later] };
  throw new UserError("trend/nothing", `no finished iteration in ${suite.root} matches`, {
    hint:
      chosen.partial === true
        ? "interrupted iterations, those in which no trial produced a result, of --smoke, of drafts or of compared versions do not count; --harness and --model leave others out"
        : "interrupted iterations, those in which no trial produced a result, of some cases only (--case, --filter, --shard, --last-failed), of --smoke, of drafts or of compared versions do not count; --harness and --model leave others out",
  });
}

/** Another agent or model is another experiment; drawn as one line it would look like progress. */
export function refuseMixture(lines: readonly TrendLine[]): void {
  const mixture = mixtureOf(lines);
  if (mixture.length < 2) return;
  throw new UserError("trend/mixed", `the iterations were run with ${mixture.join(", ")}`, {
    hint: "choose with --harness and --model, or ask for all of them with --mixed",
  });
}
