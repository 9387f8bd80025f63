import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { pathProblem, pathProblemText } from "../lib/relative-path.ts";
import { staysIn } from "../lib/stays-in.ts";
import { readTextFile, whyUnreadable } from "../lib/text-file.ts";

/** Larger files are no prompts, rubrics or scripts. */
const MAX_BYTES = 1024 * 1024;

export type FoundBeside =
  | { readonly ok: true; readonly path: string }
  /** The end of a sentence about the file. */
  | { readonly ok: false; readonly problem: string };

/** Where a file or folder is that an eval file names: below `root`, links followed, or nowhere. */
export async function findBeside(root: string, declared: string): Promise<FoundBeside> {
  const unsafe = pathProblem(declared);
  if (unsafe !== null) return { ok: false, problem: pathProblemText(unsafe) };
  const path = resolve(root, declared);
  try {
    await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const missing = code === "ENOENT" || code === "ENOTDIR";
    return {
      ok: false,
      problem: missing
        ? "does not exist"
        : `cannot be read: ${whyUnreadable(error as NodeJS.ErrnoException)}`,
    };
  }
  if (!staysIn(root, path)) return { ok: false, problem: "is a link that leads out of the eval directory" };
  return { ok: true, path };
}

/** As `findBeside`, with the file's text. */
export async function readBeside(
  root: string,
  declared: string,
): Promise<
  (FoundBeside & { ok: false }) | { readonly ok: true; readonly path: string; readonly text: string }
> {
  const found = await findBeside(root, declared);
  if (!found.ok) return found;
  const read = await readTextFile(found.path, MAX_BYTES);
  return read.ok ? { ...found, text: read.text } : { ok: false, problem: read.message };
}
