import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UserError } from "../domain/user-error.ts";

/** A program's answer to `--version`; null where it has none. Throws a UserError for one that cannot be started. */
export async function programVersion(program: string, signal: AbortSignal): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, ["--version"], { timeout: 15_000, signal });
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null;
  } catch (error) {
    signal.throwIfAborted();
    if (isUnstartable(error)) throw unstartable(program, error);
    return null;
  }
}

/** What shells and the system answer for a program that cannot be executed; any other failure may be a client's own way. */
function isUnstartable(error: unknown): boolean {
  return [126, 127, "ENOENT", "EACCES", "ENOEXEC"].includes((error as { code?: string | number }).code ?? "");
}

function unstartable(program: string, error: unknown): UserError {
  const { stderr = "", code } = error as { stderr?: string; code?: string | number };
  const said = stderr.trim().split("\n")[0] || `it ended with ${code}`;
  return new UserError("run/no-client", `${program} cannot be started: ${said}`, {
    hint: `run ${program} --version to see why, and reinstall the agent`,
    cause: error,
  });
}
