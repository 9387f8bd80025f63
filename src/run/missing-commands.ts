import { open } from "node:fs/promises";
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
  const names = [...new Set([...missing, ...commandsNotFound(await endOf(stderr))])].slice(0, MOST_NAMES);
  const programs = await Promise.all(names.map((name) => findProgram(name, hostEnv["PATH"] ?? "", "/")));
  return names.flatMap((name, at) => {
    const program = programs[at] ?? null;
    if (program === null) return [];
    return `the command ${name} was not found in the sandbox (${sandbox}), but this machine has it: ${program}`;
  });
}

const MOST_NAMES = 20;

async function endOf(file: string): Promise<string> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    const length = Math.min(size, MOST_BYTES);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString("utf8");
  } catch {
    return "";
  }
}

const MOST_BYTES = 64 * 1024;
