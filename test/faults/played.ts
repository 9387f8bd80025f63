import { spawn } from "node:child_process";
import { once } from "node:events";

/** How a program ended, and what it said about it. */
export interface Played {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly err: string;
}

export async function played(
  [program = "", ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Played> {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => void (err += chunk.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal, err };
}
