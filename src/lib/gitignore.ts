import { globToRegExp } from "./glob.ts";

/** One line of a .gitignore file, ready to be asked. */
export interface IgnoreRule {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  /** Tests the path relative to the directory of the file the rule stands in. */
  readonly test: RegExp;
}

/** The rules of a .gitignore file's text, in order. Lines that say nothing are left out. */
export function parseGitignore(text: string): readonly IgnoreRule[] {
  return text
    .replace(/^\uFEFF/u, "")
    .split(/\r?\n/u)
    .map(toRule)
    .filter((rule) => rule !== null);
}

/** A .gitignore file at `directory` (relative to the root, "" for the root itself). */
export interface IgnoreFile {
  readonly directory: string;
  readonly rules: readonly IgnoreRule[];
}

/**
 * Whether git would leave the path out, given the files that stand in its ancestors, outermost first. Asks about the
 * path itself only: whoever walks a tree must not enter an ignored directory, since nothing in it can be taken back.
 */
export function isIgnored(files: readonly IgnoreFile[], path: string, isDirectory: boolean): boolean {
  let ignored = false;
  for (const file of files) {
    const inside = file.directory === "" ? path : path.slice(file.directory.length + 1);
    for (const rule of file.rules) {
      if (rule.directoryOnly && !isDirectory) continue;
      if (rule.test.test(inside)) ignored = !rule.negated;
    }
  }
  return ignored;
}

function toRule(line: string): IgnoreRule | null {
  const trimmed = trimTrailingSpaces(line);
  if (trimmed === "" || trimmed.startsWith("#")) return null;
  const negated = trimmed.startsWith("!");
  const pattern = negated ? trimmed.slice(1) : trimmed;
  const directoryOnly = pattern.endsWith("/");
  const bare = directoryOnly ? pattern.slice(0, -1) : pattern;
  if (bare === "") return null;
  const anchored = bare.includes("/");
  const glob = anchored ? bare.replace(/^\//u, "") : `**/${bare}`;
  return { negated, directoryOnly, test: globToRegExp(glob, { dot: true, braces: false }) };
}

/** A space that a backslash protects stays. */
function trimTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end--;
  return line.slice(0, end);
}
