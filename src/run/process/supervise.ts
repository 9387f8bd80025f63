import { nameFile } from "../../lib/name-file.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DEFAULT_LIMITS, type Excess } from "../../domain/limits.ts";
import type { LineWatcher } from "../harness.ts";
import type { Command, Ending, Supervised } from "./command.ts";
import { groupFor } from "./control-group.ts";
import { keepOutput, type Output, type OutputLimits } from "./output.ts";
import { leftRunning } from "./namespace.ts";
import { startProgram, type Program } from "./program.ts";
import { openProgramFiles, type ProgramFiles } from "./program-files.ts";
import { killSurvivors, stopProgram, TRIAL_MARK, type Grace } from "./stop.ts";
import { type DiskFull, type UseLimits, type UseWatch, watchUse } from "./use.ts";
import { watchOver } from "./watcher.ts";

export interface SuperviseOptions {
  /** Appended to, so that the turns of one trial can share it. Null: it goes with standard error, and nobody watches. */
  readonly stdoutFile: string | null;
  /** Appended to. */
  readonly stderrFile: string;
  /** On the clock of `performance.now()`; Infinity for none. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /**
   * Answers when the program may run, with its deadline; absent: at once. A contained program that is listened to is
   * started before and held back in its sandbox, so that it loses no time then.
   */
  readonly admit?: () => Promise<number>;
  readonly watch: LineWatcher;
  /** Whether the command was wrapped by a sandbox that is `contained`. */
  readonly contained: boolean;
  /** Absent: whatever it likes. */
  readonly most?: UseLimits;
  /** Standard output beyond the total ends the program; standard error is cut there. */
  readonly limits?: Partial<OutputLimits>;
  readonly grace?: Partial<Grace>;
}

/**
 * Runs one program to its end, or to ours. A process that keeps standard output open delays nothing. When this settles,
 * no process of the program runs any more.
 * Rejects only for mistakes of ours: files that cannot be opened, a watcher or an admission that throws.
 */
export async function supervise(command: Command, options: SuperviseOptions): Promise<Supervised> {
  const { admit, ...admitted } = options;
  if (admit !== undefined && (!options.contained || options.stdoutFile === null)) {
    return supervise(command, { ...admitted, deadlineMs: await admit() });
  }
  const early = causeToStop(options, null);
  if (early !== null) return { ending: early, durationMs: 0, stderrTail: "", left: [], notes: [] };
  const limits = { ...OUTPUT_LIMITS, ...options.limits };
  using files = openProgramFiles({ ...options, stdin: command.stdin, stderrBytes: limits.totalBytes });
  const ears = openEars(files, limits, options.watch);
  const mark = command.env[TRIAL_MARK];
  // One at a time: of many that could start at once, the first is to run before the last is started.
  await nextTurn();
  const hear = (bytes: Buffer): void => {
    if (ears.hear(bytes)) program.wake();
  };
  using group = options.contained && options.most !== undefined ? groupFor(options.most) : null;
  const joined = group === null ? command : group.join(command);
  const program = startProgram(joined, files, files.stdout === null ? null : hear);
  using _ = options.contained || program.pid === null ? null : watchOver(program.pid, mark);
  using use =
    options.most === undefined || program.pid === null
      ? null
      : watchUse(program.pid, options.most, () => program.wake());
  try {
    const deadlineMs = await admission(program, options);
    if (deadlineMs === null)
      return { ending: { kind: "aborted" }, durationMs: 0, stderrTail: "", left: [], notes: [] };
    const startedMs = performance.now();
    const followed = await follow(program, { ears, use, files, options: { ...options, deadlineMs } });
    const durationMs = performance.now() - startedMs;
    const survivors = await clear(program, options, mark);
    await program.hush();
    ears.end();
    const notes = [...ears.notes, ...followed.notes, ...survivors];
    if (files.capStderr()) notes.push(`standard error beyond ${limits.totalBytes} bytes was dropped`);
    const ending =
      followed.cause ??
      causeToStop(null, ears) ??
      endingBy(group?.excess() ?? null) ??
      (await overLimit(use)) ??
      endingOf(program, files);
    return { ending, durationMs, ...leftRunning(files.stderrTail()), notes, cutLines: ears.cutLines };
  } catch (error) {
    await stopProgram(program, options.contained, { interruptMs: 0, terminateMs: 0 });
    await clear(program, options, mark);
    throw error;
  } finally {
    await program.hush();
  }
}

/** What is heard of a program. A watcher's mistake comes out where the program is followed. */
interface Ears {
  /** Answers whether there is something to do about it. */
  hear(bytes: Buffer): boolean;
  /** All has been heard. */
  end(): void;
  readonly stopped: boolean;
  /** What it said is more than it may say. */
  readonly excess: Excess | null;
  readonly notes: readonly string[];
  readonly cutLines: number;
  /** Throws what the watcher threw. */
  check(): void;
}

function openEars({ stdout }: ProgramFiles, limits: OutputLimits, watch: LineWatcher): Ears {
  const output: Output | null = stdout === null ? null : keepOutput(stdout.fd, stdout.size, limits, watch);
  let mistake: { readonly error: unknown } | null = null;
  const check = (): void => {
    if (mistake !== null) throw mistake.error;
  };
  return {
    hear(bytes) {
      if (mistake !== null) return true;
      try {
        output?.take(bytes);
      } catch (error) {
        mistake = { error: stdout === null ? error : nameFile(error, stdout.path) };
      }
      return mistake !== null || output?.stopped === true || output?.overflowed === true;
    },
    end() {
      check();
      output?.end();
    },
    get stopped() {
      return output?.stopped ?? false;
    },
    get excess(): Excess | null {
      return output?.overflowed === true ? { limit: "output", most: limits.totalBytes } : null;
    },
    get notes() {
      return output?.notes ?? [];
    },
    get cutLines() {
      return output?.cutLines ?? 0;
    },
    check,
  };
}

/** Answers the deadline, or null when it was ended instead. What a held program waits for is none of its time. */
async function admission(
  program: Program,
  { admit, contained, deadlineMs, signal }: SuperviseOptions,
): Promise<number | null> {
  if (admit === undefined) {
    if (contained) program.release("run");
    return deadlineMs;
  }
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

/** Follows the program until it has ended, and ends it when there is cause to, which it notices at the next look. */
async function follow(
  program: Program,
  {
    ears,
    use,
    files,
    options,
  }: { ears: Ears; use: UseWatch | null; files: ProgramFiles; options: SuperviseOptions },
): Promise<Followed> {
  let cause: Ending | null = null;
  let stopping: Promise<boolean> | null = null;
  while (program.ending === null) {
    ears.check();
    files.boundStderr();
    cause ??= causeToStop(options, ears) ?? endingBy(use?.excess ?? null);
    if (cause !== null)
      stopping ??= stopProgram(program, options.contained, { ...DEFAULT_GRACE, ...options.grace });
    const leftMs = cause === null ? options.deadlineMs - performance.now() : Infinity;
    await program.wait(Math.max(0, Math.min(PAUSE_MS, leftMs)));
  }
  const stuck = stopping !== null && !(await stopping);
  return { cause, notes: stuck ? ["the program could not be killed and may still run"] : [] };
}

function causeToStop(options: SuperviseOptions | null, ears: Ears | null): Ending | null {
  if (ears?.stopped) return { kind: "stopped" };
  if (ears?.excess) return endingBy(ears.excess);
  if (options?.signal.aborted) return { kind: "aborted" };
  if (options !== null && performance.now() >= options.deadlineMs) return { kind: "timed-out" };
  return null;
}

function endingBy(excess: Excess | DiskFull | null): Ending | null {
  if (excess === null) return null;
  return "full" in excess ? { kind: "disk-full", folder: excess.full } : { kind: "over-limit", excess };
}

async function overLimit(use: UseWatch | null): Promise<Ending | null> {
  return endingBy(use === null ? null : await use.finalExcess());
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
const PAUSE_MS = 100;
const OUTPUT_LIMITS: OutputLimits = {
  lineBytes: 16 * 1024 * 1024,
  totalBytes: DEFAULT_LIMITS.outputBytes,
};
const DEFAULT_GRACE: Grace = { interruptMs: 400, terminateMs: 200 };
