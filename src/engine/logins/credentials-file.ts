import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { objectAt } from "../../lib/loose.ts";
import type { Machine } from "../../machine.ts";
import type { FoundLogin } from "./login.ts";

/** A client's file of credentials, as far as it can be read. */
export type CredentialsFile =
  | { readonly status: "read"; readonly content: unknown }
  | { readonly status: "absent" }
  | { readonly status: "broken"; readonly problem: string };

/** Reads it and never writes it: refreshing a login is its client's business. */
export async function readCredentials(path: string): Promise<CredentialsFile> {
  let text: string;
  try {
    // Reading a pipe would wait for somebody to write.
    if (!isReadable(await stat(path))) return { status: "broken", problem: "is not a file" };
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { status: "absent" };
    return { status: "broken", problem: PROBLEMS[code] ?? `cannot be read (${code})` };
  }
  try {
    return { status: "read", content: JSON.parse(text) as unknown };
  } catch {
    return { status: "broken", problem: "is not JSON" };
  }
}

function isReadable(found: Stats): boolean {
  return found.isFile() || found.isDirectory();
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EISDIR: "is a directory",
  EACCES: "cannot be read: permission denied",
  EPERM: "cannot be read: permission denied",
};

export function unusable(
  { source, problem, fix }: { source: string; problem: string; fix: string },
  secrets: readonly string[] = [],
): FoundLogin {
  return { login: { status: "unusable", source, problem, fix }, secrets };
}

/** When a login ends: any number, also one that no calendar has, since that login is of no use; null: it does not say. */
export function endAt(value: unknown, key: string): number | null {
  const found = objectAt(value)[key];
  return typeof found === "number" ? found : null;
}

/** That a login ended at this time, in milliseconds, which may be none that a calendar has. */
export function expiredProblem(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "has expired" : `expired at ${date.toISOString()}`;
}

/** A path below HOME as people write it. */
export function fromHome(path: string, { home }: Pick<Machine, "home">): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

export function filled(value: string | undefined): string | null {
  return value === undefined || value.trim() === "" ? null : value.trim();
}

/** Every text in a credentials file that is long enough to be a token. */
export function tokensIn(content: unknown): readonly string[] {
  if (typeof content === "string") return content.length >= 16 ? [content] : [];
  if (typeof content !== "object" || content === null) return [];
  return Object.values(content).flatMap(tokensIn);
}
