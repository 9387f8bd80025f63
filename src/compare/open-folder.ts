import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ComparisonFolder } from "../store/layout.ts";
import type { Assignment } from "./assignment.ts";

/** Writes the sides down. Judgements made under other sides, pairs or numbers of judges are removed; a person's are kept. */
export async function openFolder(
  folder: ComparisonFolder,
  assignment: Assignment,
  write: (path: string, value: unknown) => Promise<void>,
): Promise<void> {
  await mkdir(folder.root, { recursive: true });
  const before = await readFile(folder.assignment, "utf8").catch(() => null);
  await write(folder.assignment, assignment);
  if (before === null || before === (await readFile(folder.assignment, "utf8"))) return;
  for (const name of await readdir(folder.root)) {
    if (JUDGED.test(name)) await rm(join(folder.root, name));
  }
}

const JUDGED = /^(?:comparison-\d+|replies-\d+|outcome|analysis)\.json$/;
