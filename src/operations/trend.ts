import { dirname, resolve } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { makeFolder } from "../lib/make-folder.ts";
import { choice, share, text, wholeNumber } from "../options/kind.ts";
import { type Given, option, optionOr, settle } from "../options/table.ts";
import type { Evaluated } from "../report/evaluated.ts";
import { auditChecks, type AuditedCheck, flaggedChecks } from "../report/trend/audit.ts";
import { type Badge, badgeOf } from "../report/trend/badge.ts";
import { type Metric, METRICS } from "../report/trend/series.ts";
import { readIteration } from "../store/iteration.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { skillNow, skillOfResults } from "./shared/skill-now.ts";
import { CHOSEN, chosenLines, MIXED, refuseMixture } from "./trend/chosen-lines.ts";
import { type TrendPoint, trendPoints } from "./trend/points.ts";
import { writing } from "./shared/writing.ts";

export type { AuditedCheck } from "../report/trend/audit.ts";
export type { Badge } from "../report/trend/badge.ts";
export { liftIn, type Metric, sparkline } from "../report/trend/series.ts";
export type { TrendPoint } from "./trend/points.ts";

/** What `trend` can be told. */
export const TREND_OPTIONS = {
  metric: optionOr("--metric <name>", { kind: choice(METRICS), otherwise: "pass_rate" }, "what to draw"),
  ...CHOSEN,
  ...MIXED,
};
export type TrendOptions = Given<typeof TREND_OPTIONS>;

export interface Trend {
  readonly suite: string;
  readonly metric: Metric;
  /** One per finished iteration, oldest first; at least one. */
  readonly points: readonly TrendPoint[];
}

/** How a skill has done over its iterations. Throws a UserError where there are none, or of several agents or models. */
export async function trend(options: TrendOptions, door: Door): Promise<Trend> {
  const open = openDoor(door);
  const settled = settle(TREND_OPTIONS, options, sourcesOf(open));
  const { lines } = await chosenLines({ ...settled, partial: true }, open.machine);
  if (!settled.mixed) refuseMixture(lines);
  return { suite: lines[0].suite, metric: settled.metric, points: trendPoints(lines, settled.metric) };
}

/** What `auditTrend` can be told. */
export const AUDIT_OPTIONS = {
  ...CHOSEN,
  ...MIXED,
  minRuns: optionOr(
    "--min-runs <n>",
    { kind: wholeNumber(1), otherwise: 3 },
    "verdicts per side (with, without the skill) before a check is audited",
  ),
  minDifference: optionOr(
    "--min-difference <share>",
    { kind: share, otherwise: 0.05 },
    "difference of pass rates that counts as one in an audit",
  ),
};
export type AuditOptions = Given<typeof AUDIT_OPTIONS>;

export interface Audit {
  /** How many were looked at. */
  readonly iterations: number;
  /** The checks of the newest iteration. */
  readonly checks: readonly AuditedCheck[];
  /** Those that an author should look at. */
  readonly flagged: readonly AuditedCheck[];
}

/** Which checks never fail, never pass, or never differ between the arms, over all chosen iterations. */
export async function auditTrend(options: AuditOptions, door: Door): Promise<Audit> {
  const open = openDoor(door);
  const settled = settle(AUDIT_OPTIONS, options, sourcesOf(open));
  const { lines, suite } = await chosenLines(settled, open.machine);
  if (!settled.mixed) refuseMixture(lines);
  const iterations: Evaluated[] = [];
  for (const { iteration: number } of lines) {
    open.signal.throwIfAborted();
    const { state } = await readIteration(suite.iteration(number));
    if (state.iteration !== null) iterations.push({ ...state, iteration: state.iteration });
  }
  const checks = auditChecks(iterations, settled);
  return { iterations: iterations.length, checks, flagged: flaggedChecks(checks) };
}

/** What `trendBadge` can be told. */
export const BADGE_OPTIONS = {
  ...CHOSEN,
  output: option(null, text, "the file to write the badge to (default: none)"),
};
export type BadgeOptions = Given<typeof BADGE_OPTIONS>;

/** The newest chosen result as a shields.io endpoint, gray where the skill has changed since, written to `output` where that is named. */
export async function trendBadge(options: BadgeOptions, door: Door): Promise<Badge> {
  const open = openDoor(door);
  const settled = settle(BADGE_OPTIONS, options, sourcesOf(open));
  const { lines, suite } = await chosenLines(settled, open.machine);
  const now = await skillNow([settled.skill, await skillOfResults(suite)], open);
  const badge = badgeOf(lines.at(-1) ?? null, now?.sha256);
  if (settled.output === null) return badge;
  const path = resolve(open.machine.cwd, settled.output);
  await writing(path, open.machine, async () => {
    await makeFolder(dirname(path));
    await writeFileAtomic(path, `${JSON.stringify(badge)}\n`);
  });
  return badge;
}
