import { closeSync, openSync, readSync } from "node:fs";

/** How what each reporter writes begins. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  json: /^\{\s*"schema": \d+,\s*"iterations": \[/,
  jsonl: /^\{"kind":"(?:event|receipt)",/,
  junit: /^<\?xml [^>]*>\s*<testsuites /,
  markdown: /^## .+\n\n(?:.+\n\n)?Iteration \d+ on /,
  codequality: /^\[\s*(?:\]|\{\s*"description": )/,
};

/** Whether a report that goes to this file would replace something that is no such report; false where nothing is there. */
export function replacesOther(reporter: string, path: string): boolean {
  const beginning = beginningOf(path);
  if (beginning === null || beginning === "") return false;
  return BEGINNINGS[reporter]?.test(beginning) !== true;
}

const MOST_BYTES = 1000;

/** Null: there is no file. What cannot be read begins with nothing we know. */
function beginningOf(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : "unreadable";
  }
  try {
    const bytes = Buffer.alloc(MOST_BYTES);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, MOST_BYTES, 0));
  } catch {
    return "unreadable";
  } finally {
    closeSync(file);
  }
}
