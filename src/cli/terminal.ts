import { writeSync } from "node:fs";
import { takeEnvironment } from "./own-environment.ts";
import { hasColor, isWatched } from "./reader.ts";
import { redirectedTo } from "./redirected.ts";
import { type Screen, screenOn } from "./screen.ts";

/** The world outside the program, as commands see it. Tests pass their own. */
export interface Terminal {
  /** The result of the command. */
  readonly out: (text: string) => void;
  /** Progress, notes and errors. */
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Colour and code frames are for people at a terminal; a coding agent and a pipe get plain lines. */
  readonly decorated: { readonly out: boolean; readonly err: boolean };
  readonly columns: number;
  /** Where a live view is drawn; absent: nobody watches, or a coding agent reads. */
  readonly screen?: Screen | undefined;
  /** Absolute paths of the files that `out` and `err` lead to; absent: none. */
  readonly outputs?: readonly string[];
  /** Whether a question can be asked and answered. */
  readonly interactive: boolean;
  /** Asks the person for a line; only where `interactive`. */
  readonly ask: (question: string) => Promise<string>;
  /** Hears single keys until the answer is called; absent: nobody is there to press one. */
  readonly keys?: ((hear: (key: string) => void) => () => void) | undefined;
}

/** Nothing is asked of a stream before a command does, because Node takes longer to open them than to print a line. */
export function processTerminal(): Terminal {
  const env = takeEnvironment();
  const out = writer(1, () => process.stdout);
  const err = writer(2, () => process.stderr);
  const screen = screenOn({ write: err, open: () => process.stderr });
  return {
    out: (text) => screen.around(text, out),
    err: (text) => screen.around(text, err),
    env,
    // Asked for late: a folder that is gone must be said like any other failure.
    get cwd() {
      return process.cwd();
    },
    decorated: {
      get out() {
        return hasColor(env, process.stdout.isTTY);
      },
      get err() {
        return hasColor(env, process.stderr.isTTY);
      },
    },
    get columns() {
      return process.stdout.columns || 80;
    },
    get screen() {
      return isWatched(env, process.stderr.isTTY) ? screen : undefined;
    },
    get outputs() {
      return redirectedTo(process.cwd());
    },
    get interactive() {
      return process.stdin.isTTY && process.stderr.isTTY;
    },
    ask: (question) => screen.lend(() => askOnTerminal(question)),
    get keys() {
      return process.stdin.isTTY ? keysOnTerminal : undefined;
    },
  };
}

function keysOnTerminal(hear: (key: string) => void): () => void {
  const { stdin } = process;
  const onData = (text: string): void => {
    for (const key of text) hear(key);
  };
  stdin.setRawMode(true).setEncoding("utf8").on("data", onData).resume();
  return () => stdin.off("data", onData).setRawMode(false).pause();
}

async function askOnTerminal(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/**
 * Writes at once; where the other end is too slow for that, Node's stream takes over and keeps what is left. Who has read
 * enough, as `head` has, gets no more; the work goes on, and the exit code says how it ended.
 */
function writer(fd: number, open: () => NodeJS.WriteStream): (text: string) => void {
  const to: { stream: NodeJS.WriteStream | null; isClosed: boolean } = { stream: null, isClosed: false };
  const onError = (error: unknown): void => {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
    to.isClosed = true;
  };
  return (text) => {
    let rest: Buffer = Buffer.from(text);
    while (!to.isClosed && to.stream === null && rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EAGAIN") to.stream = open().on("error", onError);
        else onError(error);
      }
    }
    if (!to.isClosed && rest.length > 0) to.stream?.write(rest);
  };
}
