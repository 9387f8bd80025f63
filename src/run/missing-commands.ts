import { closeSync, openSync, readSync, statSync } from "node:fs";
import { findProgram } from "../lib/find-program.ts";

/** The commands that a shell, or `env`, says it did not find. */
export function commandsNotFound(text: string): readonly string[] {
  const found = PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name ?? ""));
  return [...new Set(found)].filter((name) => name !== "");
}

/** What bash, dash, busybox, zsh, fish and env say, in this order. */
const PATTERNS = [
  /(?:^|[\s:])([\w.+-]+): command not found/gu,
  /(?:^|\n)(?:\S*sh: )(?:\d+: |line \d+: )?([\w.+-]+): not found/gu,
  /command not found: ([\w.+-]+)/gu,
  /Unknown command:? '?([\w.+-]+)/gu,
  /env: ['‘]?([\w.+-]+)['’]?: No such file or directory/gu,
];

/** A note for each command that was not found in the sandbox and that this machine has. */
export async function missingNotes(
  { missing, stderr }: { readonly missing: ReadonlySet<string>; readonly stderr: string },
  { hostEnv, sandbox }: { hostEnv: Readonly<Record<string, string | undefined>>; sandbox: string },
): Promise<readonly string[]> {
  const names = [...new Set([...missing, ...commandsNotFound(endOfFile(stderr))])].slice(0, MOST_NAMES);
  const programs = await Promise.all(names.map((name) => findProgram(name, hostEnv["PATH"] ?? "", "/")));
  return names.flatMap((name, at) => {
    const program = programs[at] ?? null;
    if (program === null) return [];
    return `the command ${name} was not found in the sandbox (${sandbox}), but this machine has it: ${program}`;
  });
}

const MOST_NAMES = 20;

/** The end of a text that nearly every program leaves empty, so at once. Empty where it cannot be read. */
export function endOfFile(file: string): string {
  try {
    const { size } = statSync(file);
    if (size === 0) return "";
    const handle = openSync(file, "r");
    try {
      const buffer = Buffer.alloc(Math.min(size, MOST_BYTES));
      const length = readSync(handle, buffer, 0, buffer.length, size - buffer.length);
      return buffer.toString("utf8", 0, length);
    } finally {
      closeSync(handle);
    }
  } catch {
    return "";
  }
}

const MOST_BYTES = 64 * 1024;
