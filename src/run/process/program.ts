import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import type { Command, Ending } from "./command.ts";
import { RUN } from "./namespace.ts";
import type { ProgramFiles } from "./program-files.ts";

/** A started program, or one that could not be started: then it has ended already. */
export interface Program {
  readonly pid: number | null;
  /** Null while it runs. */
  readonly ending: Ending | null;
  /** Settles at the end of the program or after so long, whichever comes first. */
  wait(ms: number): Promise<void>;
  /** Lets a held program run, or end without having run; no other minds. */
  release(how: "run" | "end"): void;
  /** Takes it for ended although it is not: nothing ends it. */
  abandon(): void;
}

/**
 * Starts `command` as the leader of its own session, so that no terminal and no signal of ours reaches it by chance. The
 * first process of a sandbox can be held: it waits inside for its release.
 */
export function startProgram(command: Command, files: ProgramFiles, { held } = { held: false }): Program {
  let ending: Ending | null = null;
  const waiting = new Set<() => void>();
  const end = (how: Ending): void => {
    ending ??= how;
    for (const resume of waiting) resume();
  };
  const child = spawnDetached(command, [...files.stdio, ...(held ? ["pipe" as const] : [])], end);
  const gate = held ? gateOf(child, files.stdio.length) : null;
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
    release: (how) => gate?.(how),
    abandon: () => end({ kind: "exited", code: null, signal: null }),
  };
}

function spawnDetached(
  command: Command,
  stdio: readonly (number | "pipe")[],
  end: (how: Ending) => void,
): ChildProcess | null {
  const { program, args, cwd, env } = command;
  const failed = (error: unknown): void => end({ kind: "not-started", reason: reasonOf(error, command) });
  try {
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: [...stdio], detached: true });
    child.once("error", failed);
    child.once("exit", (code, signal) => end({ kind: "exited", code, signal }));
    return child;
  } catch (error) {
    failed(error);
    return null;
  }
}

/** See `firstProcess`, which waits at the other end. */
function gateOf(child: ChildProcess | null, at: number): ((how: "run" | "end") => void) | null {
  const socket = child?.stdio[at] as Socket | null | undefined;
  // A sandbox that failed is no longer there to listen; its end tells more.
  socket?.on("error", () => {});
  return socket
    ? (how) => (how === "run" ? socket.end(RUN, () => socket.destroy()) : socket.destroy())
    : null;
}

function reasonOf(error: unknown, { program, cwd }: Command): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" && !existsSync(cwd)) return `the working directory ${cwd} does not exist`;
  if (code === "ENOENT") return `${program} does not exist`;
  if (code === "EACCES") return `${program} may not be executed`;
  if (code === "E2BIG") return "its arguments and environment are larger than the system allows";
  return error instanceof Error ? error.message : String(error);
}
