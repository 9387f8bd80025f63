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
  /** Whether a question can be asked and answered. */
  readonly interactive: boolean;
}

export function processTerminal(): Terminal {
  process.stdout.on("error", endQuietlyOnClosedPipe);
  const { env } = process;
  const plain = env["NO_COLOR"] !== undefined || env["TERM"] === "dumb";
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env,
    cwd: process.cwd(),
    decorated: { out: process.stdout.isTTY && !plain, err: process.stderr.isTTY && !plain },
    columns: process.stdout.columns || 80,
    interactive: process.stdin.isTTY && process.stderr.isTTY,
  };
}

/** `assay list | head` is not a failure. */
function endQuietlyOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}
