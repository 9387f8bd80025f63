import { rm } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import type { CiLane, CiResult } from "../../domain/ci.ts";
import { secretsOf } from "../../engine/secrets.ts";
import { keepReport, summarizeIteration } from "../../iteration/summarize.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { groupBy } from "../../lib/group-by.ts";
import { secretMask, type SecretMask } from "../../lib/secret-mask.ts";
import type { CI_REPORT } from "../../options/ci.ts";
import type { Settled } from "../../options/table.ts";
import { adjustForMany } from "../../report/benchmark/many.ts";
import { ALL_REPORTED, dispatch, type IterationReport } from "../../report/reporter.ts";
import { readIteration } from "../../store/iteration.ts";
import { iterationFolder } from "../../store/layout.ts";
import type { OpenDoor } from "../door.ts";
import { commentText } from "./comment-text.ts";
import { DEFAULT_OUT, LANE_FILE, laneResults } from "./lane.ts";
import { findLanes, type FoundLane, laneOutcomes, readJobs } from "./lanes.ts";
import { joinParts, partsIn, sameIteration } from "./merge.ts";
import { makeOwnFolder } from "./own-folder.ts";
import { ciResult, type MeasuredSkill } from "./result.ts";

/** A result, and where it was written. */
export interface CiReported {
  readonly result: CiResult;
  /** Absolute: result.json, comment.md, and results/ with all iterations as one project has them. */
  readonly out: string;
  readonly reports: readonly IterationReport[];
}

export const RESULT_FILE = "result.json";
const COMMENT_FILE = "comment.md";

/** Joins what lanes left behind, sums it up anew, and decides. */
export async function reportLanes(
  { folders, lanes: jobs, require, out: named }: Settled<typeof CI_REPORT>,
  { machine, reporters, signal }: OpenDoor,
): Promise<CiReported> {
  const out = resolve(machine.cwd, named ?? join(DEFAULT_OUT, "report"));
  const said = readJobs(jobs);
  const found = once(await findLanes(folders.map((folder) => resolve(machine.cwd, folder))));
  const mask = secretMask(secretsOf(machine.env));
  const results = join(out, "results");
  await makeOwnFolder(out, machine.cwd);
  for (const name of [results, join(out, RESULT_FILE), join(out, COMMENT_FILE)])
    await rm(name, { recursive: true, force: true });
  const measured = await measuredSkills(found, { results, mask });
  const outcomes = laneOutcomes(found, said);
  const result = ciResult({ lanes: found.map(({ record }) => record), outcomes, measured, require, out });
  await writeFileAtomic(join(out, RESULT_FILE), `${JSON.stringify(mask.json(result), null, 2)}\n`);
  await writeFileAtomic(join(out, COMMENT_FILE), commentText(result, { link: null }));
  const reports = measured.map(({ report }) => report);
  await dispatch(reporters, machine.note, signal).finish(
    reports.map(inRepository(found, machine.cwd)),
    ALL_REPORTED,
  );
  return { result, out, reports };
}

/** A lane that was uploaded twice counts once. */
function once(lanes: readonly FoundLane[]): readonly FoundLane[] {
  return [...new Map(lanes.map((one) => [JSON.stringify(one.record), one])).values()];
}

async function measuredSkills(
  lanes: readonly FoundLane[],
  { results, mask }: { readonly results: string; readonly mask: SecretMask },
): Promise<readonly MeasuredSkill[]> {
  const parts = await Promise.all(
    lanes.map(async ({ record, folder }) => {
      const own = await partsIn(laneResults(join(folder, LANE_FILE)));
      return own.map((part) => ({ part, record }));
    }),
  );
  const groups = groupBy(parts.flat(), ({ part, record }) => `${record.lane} ${sameIteration(part)}`);
  const summed: { lane: CiLane; report: IterationReport }[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const { lane, allowMissing } = first.record;
    const folder = await joinParts(
      group.map(({ part }) => part),
      results,
    );
    const gates = { minPassRate: null, allowMissing, gates: null, mask };
    summed.push({ lane, report: await summarizeIteration({ folder }, gates) });
  }
  const adjusted = adjustForMany(summed.map(({ report }) => report));
  return Promise.all(
    adjusted.map(async (report, at) => {
      if (report !== summed[at]?.report) await keepReport(report, mask);
      const { state } = await readIteration(iterationFolder(report.folder));
      return { lane: summed[at]?.lane ?? "replay", report, state };
    }),
  );
}

/** Places in eval files as the repository has them: lanes read them in a tree of their own, maybe on another machine. */
function inRepository(
  lanes: readonly FoundLane[],
  here: string,
): (report: IterationReport) => IterationReport {
  const roots = lanes.map(({ record }) => record.root);
  const shown = (path: string) => {
    const way = roots
      .map((root) => relative(root, path))
      .find((one) => !one.startsWith("..") && !isAbsolute(one));
    return way === undefined ? path : join(here, way);
  };
  return (report) => ({
    ...report,
    evaluated: {
      ...report.evaluated,
      cases: report.evaluated.cases.map((one) => ({ ...one, at: { ...one.at, file: shown(one.at.file) } })),
    },
  });
}
