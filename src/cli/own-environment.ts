import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { isSecretVariable } from "../machine.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of this process, copied. Its secrets are then erased where the system shows them: every program of the user
 * can read the environment that a process was started with (`/proc/PID/environ`), and so could an agent without a sandbox. The
 * programs that are started from here do not inherit them either.
 */
export function takeEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const taken = { ...env };
  const secrets = Object.values(Object.fromEntries(Object.entries(taken).filter(isSecret)));
  if (secrets.length === 0) return taken;
  // Also what holds a secret under another name, such as a header.
  const names = Object.keys(taken).filter((name) =>
    secrets.some((secret) => taken[name]?.includes(secret ?? "")),
  );
  for (const name of names) delete env[name];
  if (process.platform === "linux") erase(names);
  return taken;
}

function isSecret([name, value]: [string, string | undefined]): boolean {
  return isSecretVariable(name, value);
}

/** Where the system does not allow it, the secrets stay readable; whoever starts agents without a sandbox looks for that. */
function erase(names: readonly string[]): void {
  try {
    const { start, end } = placeOfEnvironment();
    const memory = openSync("/proc/self/mem", "r+");
    try {
      const block = Buffer.alloc(end - start);
      readSync(memory, block, 0, block.length, start);
      for (const { from, to } of variablesIn(block, new Set(names)))
        writeSync(memory, Buffer.alloc(to - from), 0, to - from, start + from);
    } finally {
      closeSync(memory);
    }
  } catch {
    // Another kernel, or one that forbids this.
  }
}

/** Addresses in the memory of this process; fields 50 and 51 of proc(5), counted behind the program's name. */
function placeOfEnvironment(): { readonly start: number; readonly end: number } {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { start: Number(fields[47]), end: Number(fields[48]) };
}

/** Where these variables are in `NAME=value\0NAME=value\0`. */
function variablesIn(
  block: Buffer,
  names: ReadonlySet<string>,
): readonly { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let at = 0; at < block.length;) {
    const next = block.indexOf(0, at);
    const to = next === -1 ? block.length : next;
    const equals = block.indexOf("=", at);
    if (equals !== -1 && equals < to && names.has(block.toString("utf8", at, equals)))
      found.push({ from: at, to });
    at = to + 1;
  }
  return found;
}
