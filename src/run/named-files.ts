import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";

/**
 * The files that a call of a user's own program names: among its arguments, and in the program where that is a script.
 * Absolute, `~/` or `$HOME/`; what people keep their keys in is not among them.
 */
export function namedFiles(program: string, args: readonly string[], home: string): readonly string[] {
  const words = [...args, ...wordsOf(program)].map((word) =>
    word.replace(/^(?:~|\$\{?HOME\}?)(?=\/)/u, home),
  );
  const files = words.filter((word) => isAbsolute(word) && isFile(word) && !isPrivate(word, home));
  return [...new Set(files)];
}

function wordsOf(program: string): readonly string[] {
  try {
    const text = statSync(program).size > MOST_BYTES ? "" : readFileSync(program, "latin1");
    return text.startsWith("#!") ? (text.match(/(?:~|\$\{?HOME\}?)?\/[^\s"'`;|&<>(){}$*?]+/gu) ?? []) : [];
  } catch {
    return [];
  }
}

const MOST_BYTES = 64 * 1024;

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** Hidden entries of a home but those that programs are installed in. */
function isPrivate(path: string, home: string): boolean {
  return [path, realpathSync(path)].some((one) => {
    const [first = ""] = relative(home, one).split(sep);
    return (
      first.startsWith(".") &&
      first !== ".." &&
      !INSTALLATIONS.has(first) &&
      one.startsWith(join(home, first))
    );
  });
}

const INSTALLATIONS = new Set([".local", ".nvm", ".pyenv", ".npm-global", ".volta", ".bun", ".deno"]);
