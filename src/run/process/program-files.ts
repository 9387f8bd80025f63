import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import { openUnnamed } from "../../lib/unnamed-file.ts";

/**
 * The open files of one program. It never holds the one that keeps its output: what it holds, any process beside it can
 * open again through /proc.
 */
export interface ProgramFiles extends Disposable {
  readonly stdin: number;
  readonly stderr: number;
  /** The sign of life of a contained program. */
  readonly life: number | null;
  /** Where its output is kept; null: with standard error. */
  readonly stdout: { readonly path: string; readonly fd: number; readonly size: number } | null;
  /** Whether a contained program got as far as being executed. */
  reachedProgram(): boolean;
  /** The end of standard error, bounded. */
  stderrTail(): string;
  /** Keeps a standard error that is still being written to from filling the disk. */
  boundStderr(): void;
  /** Cuts a standard error that nobody writes to any more; answers whether it ever grew beyond its cap. */
  capStderr(): boolean;
}

export interface ProgramFilePaths {
  readonly stdin: string;
  readonly stdoutFile: string | null;
  readonly stderrFile: string;
  readonly contained: boolean;
  readonly stderrBytes: number;
}

export function openProgramFiles(paths: ProgramFilePaths): ProgramFiles {
  const opened: number[] = [];
  const open = (path: string, flags: string): number => {
    const fd = openSync(path, flags);
    opened.push(fd);
    return fd;
  };
  const close = (): void => {
    for (const fd of opened.splice(0)) closeSync(fd);
  };
  try {
    const stdin = paths.stdin === "" ? open(devNull, "r") : openText(paths.stdin, paths.stderrFile, open);
    const stdout = paths.stdoutFile === null ? null : open(paths.stdoutFile, "a+");
    const stderr = open(paths.stderrFile, "a+");
    const life = paths.contained ? openEmpty(paths.stderrFile, open) : null;
    return {
      stdin,
      stderr,
      life,
      stdout:
        stdout === null ? null : { path: paths.stdoutFile ?? "", fd: stdout, size: fstatSync(stdout).size },
      reachedProgram: () => life === null || fstatSync(life).size > 0,
      ...errorOutput(stderr, paths.stderrBytes),
      [Symbol.dispose]: close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

type Open = (path: string, flags: string) => number;

/** An open file with this text, to be read from its beginning. */
function openText(text: string, beside: string, open: Open): number {
  return inUnnamed(beside, (writer, path) => {
    const bytes = Buffer.from(text, "utf8");
    for (let done = 0; done < bytes.length;) done += writeSync(writer, bytes, done);
    return open(path, "r");
  });
}

/** An open file that is empty and that nobody else finds. */
function openEmpty(beside: string, open: Open): number {
  return inUnnamed(beside, (_, path) => open(path, "r+"));
}

/** Opens again a file that is gone with its last reader: in memory where the system has a place for that, which costs no disk. */
function inUnnamed(beside: string, openAgain: (writer: number, path: string) => number): number {
  const unnamed = openUnnamed(IN_MEMORY);
  const named = `${beside}.assay-${randomBytes(8).toString("hex")}`;
  const writer = unnamed ?? openSync(named, "wx", 0o600);
  try {
    return openAgain(writer, unnamed === null ? named : `/proc/self/fd/${unnamed}`);
  } finally {
    closeSync(writer);
    if (unnamed === null) unlinkSync(named);
  }
}

const IN_MEMORY = "/dev/shm";

function errorOutput(
  fd: number,
  capBytes: number,
): Pick<ProgramFiles, "stderrTail" | "boundStderr" | "capStderr"> {
  const start = fstatSync(fd).size;
  let capped: string | null = null;
  const cutBeyond = (bytes: number): void => {
    if (fstatSync(fd).size - start <= bytes) return;
    capped = readEnd(fd, start);
    ftruncateSync(fd, start + capBytes);
  };
  return {
    stderrTail: () => capped ?? readEnd(fd, start),
    // What is written between reading the end and cutting is lost, so that nothing is cut without need.
    boundStderr: () => cutBeyond(capBytes + ROOM_WHILE_RUNNING_BYTES),
    capStderr() {
      cutBeyond(capBytes);
      return capped !== null;
    },
  };
}

function readEnd(fd: number, start: number): string {
  const size = fstatSync(fd).size;
  const from = Math.max(start, size - STDERR_TAIL_BYTES);
  const end = Buffer.alloc(Math.max(0, size - from));
  return end.toString("utf8", 0, readSync(fd, end, 0, end.length, from));
}

const STDERR_TAIL_BYTES = 8 * 1024;
const ROOM_WHILE_RUNNING_BYTES = 4 * 1024 * 1024;
