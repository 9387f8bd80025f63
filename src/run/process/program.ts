import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Command, Ending } from "./command.ts";
import { RUN } from "./namespace.ts";
import type { ProgramFiles } from "./program-files.ts";

/** A started program, or one that could not be started: then it has ended already. */
export interface Program {
  readonly pid: number | null;
  /** Null while it runs. */
  readonly ending: Ending | null;
  /** Settles at the end of the program, when woken, or after so long, whichever comes first. */
  wait(ms: number): Promise<void>;
  wake(): void;
  /** Settles when all that was written up to now has been heard; after that nothing is. */
  hush(): Promise<void>;
  /** Lets the first process of a sandbox run its program, or end without having run it; see `firstProcess`. */
  release(how: "run" | "end"): void;
  /** Takes it for ended although it is not: nothing ends it. */
  abandon(): void;
}

/** Hears what the program writes to standard output; null: that goes where standard error goes. Must not throw. */
type Hear = ((bytes: Buffer) => void) | null;

/**
 * Starts `command` as the leader of its own session, so that no terminal and no signal of ours reaches it by chance. It
 * speaks to us through a socket: unlike a file or a pipe, that can be opened by nobody else, not through /proc either.
 */
export function startProgram(command: Command, files: ProgramFiles, hear: Hear): Program {
  let ending: Ending | null = null;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resume of waiting) resume();
  };
  const end = (how: Ending): void => {
    ending ??= how;
    wake();
  };
  const stdio: (number | "pipe")[] = [files.stdin, hear === null ? files.stderr : "pipe", files.stderr];
  if (files.life !== null) stdio.push(files.life);
  const child = spawnDetached(command, stdio, end);
  const socket = (child?.stdout ?? null) as Socket | null;
  const hush = listenTo(socket, hear);
  return {
    pid: child?.pid ?? null,
    get ending() {
      return ending;
    },
    wait: (ms) =>
      new Promise((resolve) => {
        if (ending !== null) return resolve();
        const resume = (): void => {
          waiting.delete(resume);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(resume, ms);
        waiting.add(resume);
      }),
    wake,
    hush,
    release: (how) => void (how === "run" ? socket?.write(RUN) : socket?.destroy()),
    abandon: () => end({ kind: "exited", code: null, signal: null }),
  };
}

function spawnDetached(
  command: Command,
  stdio: (number | "pipe")[],
  end: (how: Ending) => void,
): ChildProcess | null {
  const { program, args, cwd, env } = command;
  const failed = (error: unknown): void => end({ kind: "not-started", reason: reasonOf(error, command) });
  try {
    const child = spawn(program, args, { cwd, env: { ...env }, stdio, detached: true });
    child.once("error", failed);
    child.once("exit", (code, signal) => end({ kind: "exited", code, signal }));
    return child;
  } catch (error) {
    failed(error);
    return null;
  }
}

function listenTo(stdout: Socket | null, hear: Hear): () => Promise<void> {
  if (stdout === null || hear === null) return async () => {};
  let heard = 0;
  stdout.on("data", (bytes: Buffer) => {
    heard++;
    hear(bytes);
  });
  // A sandbox that failed is no longer there to take the word; its end tells more.
  stdout.on("error", () => {});
  return async () => {
    // What was written lies ready, and each turn looks for it: no need to wait for others who keep the other end.
    let quiet = 0;
    for (let before = -1; quiet < QUIET_TURNS && !isOver(stdout); quiet = heard === before ? quiet + 1 : 0) {
      before = heard;
      await nextTurn();
    }
    stdout.destroy();
  };
}

/** The other end is closed, or ours is. */
function isOver({ readableEnded, destroyed }: Socket): boolean {
  return readableEnded || destroyed;
}

/** The first may be what is left of a turn that had looked before. */
const QUIET_TURNS = 2;

function reasonOf(error: unknown, { program, cwd }: Command): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" && !existsSync(cwd)) return `the working directory ${cwd} does not exist`;
  if (code === "ENOENT") return `${program} does not exist`;
  if (code === "EACCES") return `${program} may not be executed`;
  if (code === "E2BIG") return "its arguments and environment are larger than the system allows";
  return error instanceof Error ? error.message : String(error);
}
