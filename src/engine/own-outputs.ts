import { mkdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";

/**
 * Absolute paths of the files that Assay itself wrote for this user, now or in an earlier call: reports, logs of its output.
 * They are part of no project and no skill. Kept relative to the results, so that both can be moved together.
 */
export async function ownOutputs(results: string, now: readonly string[]): Promise<readonly string[]> {
  const path = join(results, "outputs.json");
  const known = await readKnown(path);
  const all = [...new Set([...known, ...now.map((file) => relative(results, file))])];
  if (all.length > known.length) {
    // Whoever writes results there next says why it cannot be written; this is only a list to go by.
    await keep(path, `${JSON.stringify(all, null, 2)}\n`).catch(() => {});
  }
  return all.map((file) => resolve(results, file));
}

async function keep(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, text);
}

async function readKnown(path: string): Promise<readonly string[]> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
