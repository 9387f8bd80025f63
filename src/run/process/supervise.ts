import { setImmediate as nextTurn } from "node:timers/promises";
import type { LineWatcher } from "../harness.ts";
import type { Command, Ending, Supervised } from "./command.ts";
import { startProgram, type Program } from "./program.ts";
import { openProgramFiles, type ProgramFiles } from "./program-files.ts";
import { killSurvivors, stopProgram, TRIAL_MARK, type Grace } from "./stop.ts";
import { tail, type Tail } from "./tail.ts";

export interface SuperviseOptions {
  /** Appended to, so that the turns of one trial can share it. */
  readonly stdoutFile: string;
  /** Appended to. */
  readonly stderrFile: string;
  /** On the clock of `performance.now()`; Infinity for none. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /**
   * Answers when the program may run, with its deadline; absent: at once. A contained program is started before and
   * held back in its sandbox, so that it loses no time then.
   */
  readonly admit?: () => Promise<number>;
  readonly watch: LineWatcher;
  /** Whether the command was wrapped by a sandbox that is `contained`. */
  readonly contained: boolean;
  readonly limits?: Partial<OutputLimits>;
  readonly grace?: Partial<Grace>;
}

interface OutputLimits {
  /** A longer line reaches the watcher cut. */
  readonly lineBytes: number;
  /** What standard output or standard error hold beyond this is dropped. */
  readonly totalBytes: number;
}

/**
 * Runs one program to its end, or to ours. Output goes straight to files and lines are read from there, so a process
 * that keeps standard output open delays nothing. When this settles, no process of the program runs any more.
 * Rejects only for mistakes of ours: files that cannot be opened, a watcher or an admission that throws.
 */
export async function supervise(command: Command, options: SuperviseOptions): Promise<Supervised> {
  const { admit, ...admitted } = options;
  if (admit !== undefined && !options.contained) {
    return supervise(command, { ...admitted, deadlineMs: await admit() });
  }
  const early = causeToStop(options, null);
  if (early !== null) return { ending: early, durationMs: 0, stderrTail: "", notes: [] };
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  using files = openProgramFiles({ ...options, stdin: command.stdin, stderrBytes: limits.totalBytes });
  const lines = tail(files.stdout, files.stdoutStart, limits, options.watch);
  const mark = command.env[TRIAL_MARK];
  // One at a time: of many that could start at once, the first is to run before the last is started.
  await nextTurn();
  const program = startProgram(command, files, { held: admit !== undefined });
  try {
    const deadlineMs = await admission(program, options);
    if (deadlineMs === null) return { ending: { kind: "aborted" }, durationMs: 0, stderrTail: "", notes: [] };
    const startedMs = performance.now();
    const followed = await follow(program, { lines, files, options: { ...options, deadlineMs } });
    const durationMs = performance.now() - startedMs;
    const survivors = await clear(program, options, mark);
    while (lines.read() === "some") await nextTurn();
    lines.end();
    const notes = [...lines.notes, ...followed.notes, ...survivors];
    if (files.capStderr()) notes.push(`standard error beyond ${limits.totalBytes} bytes was dropped`);
    const ending = followed.cause ?? causeToStop(null, lines) ?? endingOf(program, files);
    return { ending, durationMs, stderrTail: files.stderrTail(), notes };
  } catch (error) {
    await stopProgram(program, options.contained, { interruptMs: 0, terminateMs: 0 });
    await clear(program, options, mark);
    throw error;
  }
}

/** Answers the deadline, or null when it was ended instead. What a held program waits for is none of its time. */
async function admission(
  program: Program,
  { admit, deadlineMs, signal }: SuperviseOptions,
): Promise<number | null> {
  if (admit === undefined) return deadlineMs;
  const admitted = await admit();
  program.release(signal.aborted ? "end" : "run");
  if (!signal.aborted) return admitted;
  // It has nothing to do and ends by itself; killing its sandbox while that starts would leave the inside alone.
  await program.wait(DISMISSAL_MS);
  if (program.ending === null) await stopProgram(program, true, { interruptMs: 0, terminateMs: 0 });
  return null;
}

interface Followed {
  /** Why we ended it; null: it ended by itself. */
  readonly cause: Ending | null;
  readonly notes: readonly string[];
}

/** Reads lines until the program has ended, and ends it when there is cause to, which it notices at the next look. */
async function follow(
  program: Program,
  { lines, files, options }: { lines: Tail; files: ProgramFiles; options: SuperviseOptions },
): Promise<Followed> {
  let cause: Ending | null = null;
  let stopping: Promise<boolean> | null = null;
  let pauseMs = SHORTEST_PAUSE_MS;
  while (program.ending === null) {
    const progress = lines.read();
    files.capStderr();
    cause ??= causeToStop(options, lines);
    if (cause !== null)
      stopping ??= stopProgram(program, options.contained, { ...DEFAULT_GRACE, ...options.grace });
    if (progress === "some") {
      await nextTurn();
      continue;
    }
    pauseMs = progress === "all" ? SHORTEST_PAUSE_MS : Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
    const leftMs = cause === null ? options.deadlineMs - performance.now() : Infinity;
    await program.wait(Math.max(0, Math.min(pauseMs, leftMs)));
  }
  const stuck = stopping !== null && !(await stopping);
  return { cause, notes: stuck ? ["the program could not be killed and may still run"] : [] };
}

function causeToStop(options: SuperviseOptions | null, lines: Tail | null): Ending | null {
  if (lines?.stopped) return { kind: "stopped" };
  if (options?.signal.aborted) return { kind: "aborted" };
  if (options !== null && performance.now() >= options.deadlineMs) return { kind: "timed-out" };
  return null;
}

/** Nothing to do for a contained program: its namespace is gone with it. */
async function clear(
  program: Program,
  options: SuperviseOptions,
  mark: string | undefined,
): Promise<string[]> {
  if (options.contained || program.pid === null) return [];
  const count = await killSurvivors(program.pid, mark);
  return count === 0 ? [] : [`leaky: ${count} process(es) outlived the program and had to be killed`];
}

function endingOf(program: Program, files: ProgramFiles): Ending {
  const ending = program.ending ?? { kind: "exited", code: null, signal: null };
  if (ending.kind !== "exited" || files.reachedProgram()) return ending;
  return {
    kind: "not-started",
    reason: files.stderrTail().trim() || "the sandbox ended before the program started",
  };
}

const DISMISSAL_MS = 5000;
const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;
const DEFAULT_LIMITS: OutputLimits = { lineBytes: 16 * 1024 * 1024, totalBytes: 256 * 1024 * 1024 };
const DEFAULT_GRACE: Grace = { interruptMs: 400, terminateMs: 200 };
