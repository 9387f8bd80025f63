import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { groupBy } from "../lib/group-by.ts";
import { isInside } from "./directory.ts";
import type { FoundFile } from "./eval-files.ts";
import { evalsSubject, type LoadSubject } from "./subject.ts";

/** One subject for each of Skillet's sets that the files below a folder are in; those in none make one of the folder. */
export function skilletSubjects(directory: string, files: readonly FoundFile[]): LoadSubject[] {
  const folder = setOf(join(directory, "any.yaml")) ?? directory;
  const sets = groupBy(files, ({ path }) => {
    const set = setOf(path);
    return set !== null && isInside(set, folder) ? set : folder;
  });
  return [...sets].map(([set, members]) => evalsSubject(nameOf(set), null, inSet(set, members)));
}

/** A file by itself is part of its set; outside of any, it is named by what it says. */
export function skilletFileSubject(file: FoundFile): LoadSubject {
  const set = setOf(file.path);
  return set === null ? evalsSubject("", null, [file]) : evalsSubject(nameOf(set), null, inSet(set, [file]));
}

/** The folder below `evals/` that a path goes through; a skill's own `evals/` holds no sets but its cases. */
function setOf(path: string): string | null {
  for (let at = dirname(path); dirname(at) !== at; at = dirname(at)) {
    const evals = dirname(at);
    if (basename(evals) === "evals") return existsSync(join(evals, "..", "SKILL.md")) ? null : at;
  }
  return null;
}

function inSet(evalsDirectory: string, files: readonly FoundFile[]): FoundFile[] {
  return files.map((file) => ({ ...file, evalsDirectory }));
}

function nameOf(folder: string): string {
  return basename(folder) === "evals" ? basename(dirname(folder)) : basename(folder);
}
