import type { Grading } from "../../domain/grading.ts";
import { type Run, totalTokens } from "../../domain/run.ts";

/** timing.json in skill-creator's shape. Null is unknown. */
export interface TimingFile {
  readonly total_tokens: number | null;
  readonly cost_usd?: number;
  /** This and the next are the executor's time alone. */
  readonly duration_ms: number | null;
  /** Left out where it is unknown: skill-creator's aggregator adds it up, and takes nothing for 0 but cannot add null. */
  readonly total_duration_seconds?: number;
  /** Left out where the agent never began. */
  readonly executor_start?: string;
  readonly executor_end?: string;
  readonly executor_duration_seconds: number | null;
  readonly grader_start?: string;
  readonly grader_end?: string;
  readonly grader_duration_seconds?: number;
}

export function timingFile(run: Run, grading: Grading | null): TimingFile {
  const whole = run.durationMs === null ? null : seconds(run.durationMs);
  return {
    total_tokens: totalTokens(run.usage),
    ...(run.usage.costUsd === null ? {} : { cost_usd: run.usage.costUsd }),
    duration_ms: run.durationMs === null ? null : Math.round(run.durationMs),
    ...(whole === null ? {} : { total_duration_seconds: whole }),
    ...(run.agentTime === null ? {} : executorTimes(run.agentTime)),
    executor_duration_seconds: whole,
    ...(grading === null ? {} : graderTimes(grading)),
  };
}

export function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}

function executorTimes({ startedAt, endedAt }: NonNullable<Run["agentTime"]>) {
  return { executor_start: startedAt, executor_end: endedAt };
}

function graderTimes(grading: Grading) {
  return {
    grader_start: grading.startedAt,
    grader_end: later(grading.startedAt, grading.durationMs),
    grader_duration_seconds: seconds(grading.durationMs),
  };
}

function later(start: string, ms: number): string {
  return new Date(Date.parse(start) + ms).toISOString();
}
