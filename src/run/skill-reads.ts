import { basename, dirname } from "node:path/posix";

/** The skill whose SKILL.md a tool call reads, by a file tool or by a shell command; null when it reads none. */
export function skillReadBy(input: unknown): string | null {
  const words = JSON.stringify(input) ?? "";
  const path = /[\w./~@{}$-]*\/SKILL\.md\b/i.exec(words)?.[0];
  return path === undefined ? null : basename(dirname(path));
}
