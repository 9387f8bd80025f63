import type { Outcome } from "../../../domain/run.ts";
import { forcedOutcome } from "../../ending.ts";
import type { HarnessContext } from "../../harness.ts";

/** What one command in the trial's sandbox said. */
export interface ShellRun {
  /** Both streams as they came, up to a bound. */
  readonly text: string;
  /** Null when a signal ended it. */
  readonly code: number | null;
  /** More was said than was kept. */
  readonly cut: boolean;
  /** Set when it was not the command that ended itself: the whole run is over. */
  readonly forced: Outcome | null;
  readonly notes: readonly string[];
}

/** Runs a bash script in the workspace, inside the sandbox; everything the agent does to the machine goes through here. */
export async function runShell(
  context: HarnessContext,
  { script, args, stdin = "" }: { script: string; args: readonly string[]; stdin?: string },
): Promise<ShellRun> {
  const lines: string[] = [];
  let kept = 0;
  let cut = false;
  const supervised = await context.start(
    {
      program: "/bin/bash",
      args: ["-c", `exec 2>&1; ${script}`, "bash", ...args],
      cwd: context.places.workspace,
      env: context.env,
      stdin,
    },
    (line) => {
      if (kept + line.length > MOST_CHARACTERS) cut = true;
      if (cut) return undefined;
      kept += line.length + 1;
      lines.push(`${line}\n`);
      return undefined;
    },
  );
  const { ending, notes } = supervised;
  const code = ending.kind === "exited" ? ending.code : null;
  return { text: lines.join(""), code, cut, forced: forcedOutcome(supervised), notes };
}

const MOST_CHARACTERS = 4 * 1024 * 1024;
