import {
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { SecretMask } from "../lib/secret-mask.ts";

/** Larger files go through a stream. */
const SMALL_BYTES = 256 * 1024;

/** Takes the secrets out of a file that a program wrote itself; a file that is not there is fine. */
export async function maskFile(path: string, mask: SecretMask): Promise<void> {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  if (size <= SMALL_BYTES) return maskSmallFile(path, mask);
  const masked = `${path}.masked`;
  await pipeline(createReadStream(path), mask.stream(), createWriteStream(masked));
  await rename(masked, path);
}

/** Text that holds no secret stays as it is, to the byte; so does what is no text and small. */
function maskSmallFile(path: string, mask: SecretMask): void {
  const text = readFileSync(path, "latin1");
  const masked = mask.bytes(text);
  if (masked !== text) writeFileSync(path, masked, "latin1");
}

/** The same for every file below a folder. */
export async function maskFolder(folder: string, mask: SecretMask): Promise<void> {
  if (!existsSync(folder)) return;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isFile()) await maskFile(join(entry.parentPath, entry.name), mask);
}
