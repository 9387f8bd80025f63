import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { nameFile } from "./name-file.ts";

/**
 * Writes a file for its owner alone, at a path below `root`, where others may have put anything before: throws where a
 * link or something else stands in place of a folder on the way, replaces what is no folder at the end, and so never writes
 * elsewhere. Nobody else may write there meanwhile. Answers where the file lies.
 */
export function writeBelow(root: string, path: string, content: string): string {
  const file = join(root, path);
  const way = relative(root, dirname(file)).split(sep);
  if (way.includes("..")) throw new Error(`${path} leads out of ${root}`);
  let folder = root;
  for (const name of way) {
    folder = join(folder, name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(folder);
    else if (!found.isDirectory()) throw new Error(`${folder} is not a folder`);
  }
  rmSync(file, { force: true });
  try {
    writeFileSync(file, content, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw nameFile(error, file);
  }
  return file;
}
