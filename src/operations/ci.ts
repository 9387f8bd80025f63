import type { CiResult, LaneRecord } from "../domain/ci.ts";
import { CI_COMMENT, CI_REPORT, LANE } from "../options/ci.ts";
import { required } from "../options/required.ts";
import { type Given, settle } from "../options/table.ts";
import { type Door, openDoor } from "./door.ts";
import { type Commented, postComment } from "./ci/comment.ts";
import { runLane } from "./ci/lane.ts";
import { type CiReported, reportLanes } from "./ci/report.ts";

export type { Commented } from "./ci/comment.ts";
export type { CiReported } from "./ci/report.ts";
export { commentText } from "./ci/comment-text.ts";

/** What a lane can be told. */
export const LANE_OPTIONS = LANE;
export type LaneOptions = Given<typeof LANE_OPTIONS>;

/** What the report can be told. */
export const CI_REPORT_OPTIONS = CI_REPORT;
export type CiReportOptions = Given<typeof CI_REPORT_OPTIONS>;

/** What posting can be told. */
export const CI_COMMENT_OPTIONS = CI_COMMENT;
export type CiCommentOptions = Given<typeof CI_COMMENT_OPTIONS>;

/**
 * One lane of CI over the skills that a change touches: the new version against the base's, on the base's evals and with the base's
 * settings. Nothing of the change runs but its skills, in the sandbox. The door's configuration does not count.
 */
export async function ciLane(options: LaneOptions, door: Door): Promise<LaneRecord> {
  const open = openDoor(door);
  const settled = required(settle(LANE_OPTIONS, options, { env: open.machine.env }), ["lane"]);
  return runLane(settled, options, open);
}

/** All lanes, shards and columns of a matrix as one result, which decides. What should be there and is not makes it unfinished. */
export async function ciReport(options: CiReportOptions, door: Door): Promise<CiReported> {
  const open = openDoor(door);
  return reportLanes(settle(CI_REPORT_OPTIONS, options, { env: open.machine.env }), open);
}

/**
 * Writes one comment for a result, or brings the one that is there up to date. The result is data of somebody who may not be
 * trusted: who is told comes from the CI service alone, and everything that is shown is made inert.
 */
export async function ciComment(options: CiCommentOptions, door: Door): Promise<Commented> {
  const open = openDoor(door);
  return postComment(settle(CI_COMMENT_OPTIONS, options, { env: open.machine.env }), open);
}

export type { CiResult, LaneRecord };
