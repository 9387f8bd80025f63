import ignore, { type Ignore } from "ignore";

/** What git leaves out, by the .gitignore files of some directories. Paths are relative to one root. */
export interface IgnoreRules {
  ignores(path: string, isDirectory: boolean): boolean;
  /** These and those of a file in `directory` ("" for the root), which decide where both say something. */
  with(directory: string, text: string): IgnoreRules;
}

export const NO_RULES: IgnoreRules = rulesOf(ignore());

function rulesOf(matcher: Ignore): IgnoreRules {
  return {
    ignores: (path, isDirectory) => matcher.ignores(isDirectory ? `${path}/` : path),
    with(directory, text) {
      const lines = text.replace(/^\uFEFF/u, "").split(/\r?\n/u);
      const patterns = lines.map((line) => fromRoot(directory, line)).filter((line) => line !== null);
      if (patterns.length === 0) return this;
      return rulesOf(ignore({ ignoreCase: false }).add(matcher).add(patterns));
    },
  };
}

/**
 * The line as it would read in the root's own file; null for one that says nothing. One set of rules for all files, because a
 * deeper file may take back a directory that an outer one leaves out.
 */
function fromRoot(directory: string, line: string): string | null {
  if (line.trim() === "" || line.startsWith("#")) return null;
  if (directory === "") return line;
  const negation = line.startsWith("!") ? "!" : "";
  const pattern = line.slice(negation.length);
  const anchored = pattern.trimEnd().slice(0, -1).includes("/");
  const below = anchored ? pattern.replace(/^\//u, "") : `**/${pattern}`;
  return `${negation}/${literally(directory)}/${below}`;
}

function literally(path: string): string {
  return path.replaceAll(/[\\*?[\]!# ]/gu, String.raw`\$&`);
}
