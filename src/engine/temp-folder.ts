import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute } from "node:path";
import { UserError } from "../domain/user-error.ts";
import { requireWritable } from "../lib/unnamed-file.ts";

/** Why nothing can be made in the folder for temporary files, as a sentence; null: something can. */
export function tempFolderProblem(folder: string = tmpdir()): string | null {
  const name = `The folder for temporary files, ${folder},`;
  if (!isAbsolute(folder)) return `${name} is relative.`;
  const found = kindOf(folder);
  if (found === "missing") return `${name} does not exist.`;
  if (found === "other") return `${name} is not a directory.`;
  return isWritable(folder) ? null : `${name} cannot be written.`;
}

export const TEMP_FOLDER_FIX = "set TMPDIR to an absolute path of a folder you can write, or unset it";

/** Throws a UserError where nothing can be made in the folder for temporary files. */
export function requireTempFolder(): void {
  const problem = tempFolderProblem();
  if (problem !== null) throw new UserError("run/no-temp-folder", problem, { hint: TEMP_FOLDER_FIX });
}

/** What may not be looked at cannot be written either. */
function kindOf(folder: string): "directory" | "other" | "missing" {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return "missing";
    return found.isDirectory() ? "directory" : "other";
  } catch {
    return "directory";
  }
}

function isWritable(folder: string): boolean {
  try {
    requireWritable(folder);
    return true;
  } catch {
    return false;
  }
}
