import { statSync } from "node:fs";
import { dirname } from "node:path";
import { requireWritable } from "../../lib/unnamed-file.ts";
import { failed, type Finding, ok } from "./finding.ts";

/** Can results be kept in this folder? Tried in what there is of it, and nothing of the trial stays. */
export function resultsFinding(folder: string): Finding {
  try {
    requireWritable(existing(folder));
    return ok("results", `Results go to ${folder}.`);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    return failed(
      "results",
      `Results cannot be written to ${folder} (${code}).`,
      "choose a folder with --workspace",
    );
  }
}

function existing(folder: string): string {
  const isThere = statSync(folder, { throwIfNoEntry: false }) !== undefined;
  return isThere || dirname(folder) === folder ? folder : existing(dirname(folder));
}
