import { writeSync } from "node:fs";
import { redirectedTo } from "./redirected.ts";

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
  /** Absolute paths of the files that `out` and `err` lead to; absent: none. */
  readonly outputs?: readonly string[];
  /** Whether a question can be asked and answered. */
  readonly interactive: boolean;
  /** Asks the person for a line; only where `interactive`. */
  readonly ask: (question: string) => Promise<string>;
}

/** Nothing is asked of a stream before a command does, because Node takes longer to open them than to print a line. */
export function processTerminal(): Terminal {
  const { env } = process;
  const plain = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return {
    out: writer(1, () => process.stdout),
    err: writer(2, () => process.stderr),
    env,
    cwd: process.cwd(),
    decorated: {
      get out() {
        return !plain && process.stdout.isTTY;
      },
      get err() {
        return !plain && process.stderr.isTTY;
      },
    },
    get columns() {
      return process.stdout.columns || 80;
    },
    get outputs() {
      return redirectedTo(process.cwd());
    },
    get interactive() {
      return process.stdin.isTTY && process.stderr.isTTY;
    },
    ask: askOnTerminal,
  };
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

/** Writes at once; where the other end is too slow for that, Node's stream takes over and keeps what is left. */
function writer(fd: number, open: () => NodeJS.WriteStream): (text: string) => void {
  let stream: NodeJS.WriteStream | null = null;
  return (text) => {
    let rest: Buffer = Buffer.from(text);
    while (stream === null && rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") endOnClosedPipe(error);
        stream = open().on("error", endOnClosedPipe);
      }
    }
    if (rest.length > 0) stream?.write(rest);
  };
}

/** `assay list | head` is not a failure. */
function endOnClosedPipe(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code === "EPIPE") process.exit(0);
  throw error;
}
