import type { Grading } from "../../domain/grading.ts";
import { type Run, totalTokens } from "../../domain/run.ts";

/** timing.json in skill-creator's shape. What is not known is left out, because its tools take null for a number. */
export interface TimingFile {
  readonly total_tokens?: number;
  readonly cost_usd?: number;
  /** This and the next are the executor's time alone. */
  readonly duration_ms: number;
  readonly total_duration_seconds: number;
  /** Left out where the agent never began. */
  readonly executor_start?: string;
  readonly executor_end?: string;
  readonly executor_duration_seconds: number;
  readonly grader_start?: string;
  readonly grader_end?: string;
  readonly grader_duration_seconds?: number;
}

export function timingFile(run: Run, grading: Grading | null): TimingFile {
  const tokens = totalTokens(run.usage);
  return {
    ...(tokens === null ? {} : { total_tokens: tokens }),
    ...(run.usage.costUsd === null ? {} : { cost_usd: run.usage.costUsd }),
    duration_ms: Math.round(run.durationMs),
    total_duration_seconds: seconds(run.durationMs),
    ...(run.agentTime === null ? {} : executorTimes(run.agentTime)),
    executor_duration_seconds: seconds(run.durationMs),
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
