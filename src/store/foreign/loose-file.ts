import { existsSync } from "node:fs";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { type Loose, objectAt } from "../../lib/loose.ts";
import { readTextFile } from "../../lib/text-file.ts";
import { problemAt } from "./foreign.ts";

/** A JSON object in a file that another tool wrote; null where there is none, which is said if the file is there. */
export async function looseFile(path: string, report: (problem: Diagnostic) => void): Promise<Loose | null> {
  if (!existsSync(path)) return null;
  const file = await readTextFile(path, MOST_BYTES);
  if (!file.ok) {
    report(problemAt(path, "unreadable", file.message));
    return null;
  }
  try {
    return objectAt(JSON.parse(file.text) as unknown);
  } catch (error) {
    report(problemAt(path, "unreadable", `is not JSON: ${(error as Error).message}`));
    return null;
  }
}

const MOST_BYTES = 64 * 1024 * 1024;
