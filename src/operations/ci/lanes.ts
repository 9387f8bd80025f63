import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CI_LANES, type CiLane, type LaneOutcome, type LaneRecord } from "../../domain/ci.ts";
import { hasErrors } from "../../domain/diagnostic.ts";
import { UserError } from "../../domain/user-error.ts";
import { groupBy } from "../../lib/group-by.ts";
import { plural } from "../../lib/plural.ts";
import { LANE_FILE } from "./lane.ts";

/** What a lane left behind, and the folder that it lies in. */
export interface FoundLane {
  readonly record: LaneRecord;
  readonly folder: string;
}

/** Every lane.json in the folders and two levels below, as CI services unpack artifacts. One that cannot be read counts as missing. */
export async function findLanes(folders: readonly string[]): Promise<readonly FoundLane[]> {
  const found = await Promise.all(folders.map((folder) => lanesIn(folder, 2)));
  return found.flat();
}

async function lanesIn(folder: string, levels: number): Promise<readonly FoundLane[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const here = entries.some((entry) => entry.isFile() && entry.name === LANE_FILE);
  const record = here ? await readLane(join(folder, LANE_FILE)) : null;
  if (record !== null) return [{ record, folder }];
  if (levels === 0) return [];
  const below = entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  return (await Promise.all(below.map((one) => lanesIn(one, levels - 1)))).flat();
}

async function readLane(path: string): Promise<LaneRecord | null> {
  try {
    const record = JSON.parse(await readFile(path, "utf8")) as Partial<LaneRecord> | null;
    const isWhole =
      record?.schema === 1 &&
      CI_LANES.includes(record.lane as CiLane) &&
      Array.isArray(record.skills) &&
      Array.isArray(record.findings) &&
      typeof record.root === "string";
    return isWhole ? (record as LaneRecord) : null;
  } catch {
    return null;
  }
}

/** What the CI service says of a job. */
type JobStatus = "success" | "failure" | "skipped" | "cancelled";
const JOB_STATUSES: readonly JobStatus[] = ["success", "failure", "skipped", "cancelled"];

/** Reads `check=success,live=skipped`. Throws a UserError for what is neither. */
export function readJobs(list: readonly string[]): ReadonlyMap<CiLane, JobStatus> {
  return new Map(
    list.map((one) => {
      const [lane = "", status = "success"] = one.split("=");
      if (CI_LANES.includes(lane as CiLane) && JOB_STATUSES.includes(status as JobStatus))
        return [lane as CiLane, status as JobStatus];
      throw new UserError("ci/unknown-lane", `--lanes: ${JSON.stringify(one)} says nothing of a lane`, {
        hint: `name ${CI_LANES.join(", ")}, each with = and one of ${JOB_STATUSES.join(", ")}`,
      });
    }),
  );
}

/** How far each lane got, measured results apart: what the CI service says is held against what is there. */
export function laneOutcomes(
  lanes: readonly FoundLane[],
  jobs: ReadonlyMap<CiLane, JobStatus>,
): readonly LaneOutcome[] {
  const byLane = groupBy(lanes, ({ record }) => record.lane);
  const isOneChange = new Set(lanes.map(({ record: { base, head } }) => `${base} ${head}`)).size <= 1;
  const wanted = CI_LANES.filter((lane) => byLane.has(lane) || jobs.has(lane));
  return wanted.map((lane) => {
    const outcome = outcomeOf(lane, byLane.get(lane) ?? [], jobs.get(lane) ?? null);
    return isOneChange || !byLane.has(lane) ? outcome : { lane, status: "unfinished", detail: OTHER_CHANGE };
  });
}

/** Nobody can commit the results of a commit that does not exist yet; those of another would speak for this one. */
const OTHER_CHANGE = "lanes left results of different commits, so none of them counts";

/** What a lane was asked to do; one that was uploaded twice is the same to the letter. */
function laneKey({ record: { lane, column, shard } }: FoundLane): string {
  return JSON.stringify([lane, column, shard]);
}

function outcomeOf(lane: CiLane, found: readonly FoundLane[], job: JobStatus | null): LaneOutcome {
  if (found.length === 0) {
    return job === "skipped"
      ? { lane, status: "skipped", detail: SKIPPED[lane] }
      : { lane, status: "unfinished", detail: "it left no results, which is no pass" };
  }
  const problem = found.map(({ record }) => record.problem).find((text) => text !== null) ?? null;
  if (problem !== null) return { lane, status: "unfinished", detail: problem };
  if (new Set(found.map(laneKey)).size < found.length)
    return { lane, status: "unfinished", detail: "it left two results that differ, so neither counts" };
  const missing = missingShards(found);
  if (missing.length > 0)
    return { lane, status: "unfinished", detail: `the results of ${missing.join(", ")} are missing` };
  if (job === "failure" || job === "cancelled")
    return { lane, status: "unfinished", detail: `its job ended with ${job}` };
  if (lane !== "check") return { lane, status: "passed", detail: "measured" };
  const findings = found.flatMap(({ record }) => record.findings);
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const text = errors === 0 ? plural(findings.length, "note") : plural(errors, "error");
  return { lane, status: hasErrors(findings) ? "failed" : "passed", detail: text };
}

const SKIPPED: Readonly<Record<CiLane, string>> = {
  check: "skipped",
  replay: "skipped: nothing was replayed",
  live: "skipped: no model was asked",
};

/** Of each column, every part of the split has to be there, and of one split. */
function missingShards(found: readonly FoundLane[]): readonly string[] {
  return [...groupBy(found, ({ record }) => record.column)].flatMap(([column, parts]) => {
    const count = Math.max(...parts.map(({ record }) => record.shard?.count ?? 1));
    const there = new Set(
      parts.flatMap(({ record: { shard } }) => ((shard?.count ?? 1) === count ? [shard?.index ?? 1] : [])),
    );
    const where = column === "" ? "" : ` of ${column}`;
    return Array.from({ length: count }, (_, at) => at + 1)
      .filter((index) => !there.has(index))
      .map((index) => `shard ${index}/${count}${where}`);
  });
}
