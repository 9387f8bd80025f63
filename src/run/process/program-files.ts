import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";

/** The open files of one program: it writes into them itself, nothing passes through our process. */
export interface ProgramFiles extends Disposable {
  /** Standard input, output, error and, for a contained program, the sign of life. */
  readonly stdio: readonly number[];
  readonly stdout: number;
  /** Where in the file the output of this program begins. */
  readonly stdoutStart: number;
  /** Whether a contained program got as far as being executed. */
  reachedProgram(): boolean;
  /** The end of standard error, bounded. */
  stderrTail(): string;
  /** Cuts a standard error that grew beyond its cap; answers whether that ever happened. */
  capStderr(): boolean;
}

export interface ProgramFilePaths {
  readonly stdin: string;
  readonly stdoutFile: string;
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
    const stdin = paths.stdin === "" ? open(devNull, "r") : openText(paths.stdin, paths.stdoutFile, open);
    const stdout = open(paths.stdoutFile, "a+");
    const stderr = open(paths.stderrFile, "a+");
    const life = paths.contained ? openUnnamed(paths.stdoutFile, open) : null;
    return {
      stdio: life === null ? [stdin, stdout, stderr] : [stdin, stdout, stderr, life],
      stdout,
      stdoutStart: fstatSync(stdout).size,
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
  return unnamed(beside, (path) => {
    const writer = openSync(path, "wx", 0o600);
    try {
      const bytes = Buffer.from(text, "utf8");
      for (let done = 0; done < bytes.length;) done += writeSync(writer, bytes, done);
      return open(path, "r");
    } finally {
      closeSync(writer);
    }
  });
}

function openUnnamed(beside: string, open: Open): number {
  return unnamed(beside, (path) => open(path, "wx+"));
}

/** A file that is gone with its last reader: in memory where the system has a place for that, which costs no disk. */
function unnamed(beside: string, open: (path: string) => number): number {
  const name = `assay-${randomBytes(8).toString("hex")}`;
  try {
    return openOnce(join(IN_MEMORY, name), open);
  } catch {
    return openOnce(`${beside}.${name}`, open);
  }
}

function openOnce(path: string, open: (path: string) => number): number {
  try {
    return open(path);
  } finally {
    rmSync(path, { force: true });
  }
}

const IN_MEMORY = "/dev/shm";

function errorOutput(fd: number, capBytes: number): Pick<ProgramFiles, "stderrTail" | "capStderr"> {
  const start = fstatSync(fd).size;
  let capped: string | null = null;
  return {
    stderrTail: () => capped ?? readEnd(fd, start),
    capStderr() {
      if (fstatSync(fd).size - start > capBytes) {
        capped = readEnd(fd, start);
        ftruncateSync(fd, start + capBytes);
      }
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
