import { execFile, type ExecFileException } from "node:child_process";
import { join } from "node:path";

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export function runNode(
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<Ended> {
  return new Promise((resolve) => {
    const settings = { ...options, maxBuffer: 1 << 26 };
    execFile(process.execPath, args, settings, (error: ExecFileException | null, out, err) => {
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : null, out, err });
    });
  });
}

/** Nothing of this machine's but where programs are. */
export function environment(
  root: string,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: join(root, "home"), ...env };
}
