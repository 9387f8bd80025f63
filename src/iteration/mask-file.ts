import { createReadStream, createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
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
