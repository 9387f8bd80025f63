import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { setTimeout as pause } from "node:timers/promises";

const run = promisify(execFile);

export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;

/** A terminal of this size with nothing but a shell in it. */
export interface Pane extends AsyncDisposable {
  /** Types a line and presses Enter. */
  type(line: string): Promise<void>;
  /** Presses a key, such as `C-c`. */
  press(key: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** What is on the screen, without the empty lines at its end. */
  screen(): Promise<string>;
  /** Keeps in a file all that is written to the terminal from now on, also what is soon gone from the screen. */
  record(file: string): Promise<void>;
  /** The screen as soon as it is as wanted; throws with the last one when it never is. */
  until(isWanted: (screen: string) => boolean, what: string): Promise<string>;
}

interface PaneOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Only waits this long for what should come at once: the machine may be busy. */
const PATIENCE_MS = 90_000;

export async function openPane({ columns, rows, cwd, env }: PaneOptions): Promise<Pane> {
  const socket = `assay-${randomBytes(6).toString("hex")}`;
  const tmux = async (...args: string[]): Promise<string> =>
    (await run("tmux", ["-u", "-L", socket, "-f", "/dev/null", ...args], { env: { ...env, TERM: "xterm" } }))
      .stdout;
  const size = ["-x", String(columns), "-y", String(rows)];
  await tmux("new-session", "-d", ...size, "-c", cwd, "bash", "--norc", "--noprofile");
  await tmux("set-option", "-g", "window-size", "manual");
  const screen = async (): Promise<string> => (await tmux("capture-pane", "-p")).trimEnd();
  const type = async (line: string): Promise<void> => {
    await tmux("send-keys", "-l", line);
    await tmux("send-keys", "Enter");
  };
  const until: Pane["until"] = async (isWanted, what) => {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const seen = await screen();
      if (isWanted(seen)) return seen;
      if (performance.now() > end) throw new Error(`never saw ${what}; the screen is\n${seen}`);
      await pause(50);
    }
  };
  await type("PS1='> '; unset PROMPT_COMMAND; clear");
  await until((seen) => seen === ">", "the prompt");
  return {
    type,
    press: async (key) => void (await tmux("send-keys", key)),
    resize: async (width, height) =>
      void (await tmux("resize-window", "-x", String(width), "-y", String(height))),
    screen,
    record: async (file) => void (await tmux("pipe-pane", `cat > '${file}'`)),
    until,
    [Symbol.asyncDispose]: async () => void (await tmux("kill-server").catch(() => {})),
  };
}
