import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { SecretMask } from "../lib/secret-mask.ts";

/** Takes the secrets out of a file that a program wrote itself; a file that is not there is fine. */
export async function maskFile(path: string, mask: SecretMask): Promise<void> {
  const masked = `${path}.masked`;
  try {
    await pipeline(createReadStream(path), mask.stream(), createWriteStream(masked));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  await rename(masked, path);
}

/** The same for every file below a folder. */
export async function maskFolder(folder: string, mask: SecretMask): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isFile()) await maskFile(join(entry.parentPath, entry.name), mask);
}
