import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { projectFolder } from "../store/layout.ts";

type Files = Readonly<Record<string, string>>;

/**
 * Keeps which files a project had, by its digest, so that a later run can name those that changed. Until the file is whole, it
 * is in the folder `madeIn`, which is this runner's.
 */
export async function keepProjectFiles(
  { results, madeIn }: { readonly results: string; readonly madeIn: string },
  digest: string,
  files: Files,
): Promise<void> {
  const path = fileOf(results, digest);
  if ((await stat(path).catch(() => null)) !== null) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, JSON.stringify(files), { madeIn });
}

/** Null where they were not kept, or were cleaned away. */
export async function keptProjectFiles(results: string, digest: string): Promise<Files | null> {
  try {
    return JSON.parse(await readFile(fileOf(results, digest), "utf8")) as Files;
  } catch {
    return null;
  }
}

function fileOf(results: string, digest: string): string {
  return join(projectFolder(results).cache, "projects", `${digest.slice(0, 16)}.json`);
}
