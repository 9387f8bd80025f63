import { readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeFolder } from "../lib/make-folder.ts";

/** Makes the results folder. A `.assay` that no skill has results in yet tells git to leave it alone. */
export async function makeResultsRoot(root: string): Promise<void> {
  await makeFolder(root);
  if (basename(root) !== ".assay") return;
  const names = await readdir(root);
  if (names.some((name) => !BEFORE_ANY_SKILL.has(name))) return;
  await writeFile(join(root, ".gitignore"), IGNORE, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

const BEFORE_ANY_SKILL = new Set(["cache", "captures", "cassettes", ".gitignore"]);

/** Recordings are there to be committed. */
const IGNORE = "*\n!/cassettes/\n!/cassettes/**\n";
