/** The skills whose SKILL.md a tool call reads, by a file tool or by a shell command. */
export function skillsReadBy(input: unknown): readonly string[] {
  const words = JSON.stringify(input) ?? "";
  const found = new Set<string>();
  for (const { index } of words.matchAll(/\/SKILL\.md\b/giu)) {
    const path = PATH_BEFORE.exec(words.slice(Math.max(0, index - LONGEST_PATH), index));
    const folder = path?.groups?.["path"]?.split("/").at(-1) ?? "";
    const isWritten = path?.groups?.["arrow"] !== "";
    if (!isWritten && folder !== "" && folder !== "." && folder !== "..") found.add(folder);
  }
  return [...found];
}

/** What stands before the file's name; one with a wildcard names no skill, one behind an arrow is written, not read. */
const PATH_BEFORE = /(?<arrow>(?:>\s*["'\\]*)?)(?<path>[^\s"'\\;|&<>()*?]+)$/u;
const LONGEST_PATH = 300;
