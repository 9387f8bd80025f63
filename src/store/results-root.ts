import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeFolder } from "../lib/make-folder.ts";
import { removeLeftovers } from "../lib/remove-leftovers.ts";

/** Makes the results folder. A `.assay` that no skill has results in yet tells git to leave it alone. */
export async function makeResultsRoot(root: string): Promise<void> {
  await makeFolder(root);
  if (basename(root) !== ".assay") return;
  await removeLeftovers(root);
  const names = await readdir(root);
  if (names.some((name) => !BEFORE_ANY_SKILL.has(name))) return;
  const path = join(root, ".gitignore");
  await writeFile(path, IGNORE, { flag: "wx" }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    if (isBegun(await readFile(path, "utf8"))) await writeFile(path, IGNORE);
  });
}

/** As a call leaves it that is killed while it writes; an empty one may be somebody's wish. */
function isBegun(text: string): boolean {
  return text !== "" && text !== IGNORE && IGNORE.startsWith(text);
}

const BEFORE_ANY_SKILL = new Set(["cache", "captures", "cassettes", "imports", "schemas", ".gitignore"]);

/** Recordings are there to be committed. */
const IGNORE = "*\n!/cassettes/\n!/cassettes/**\n";
