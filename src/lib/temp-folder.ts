import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for as long as `use` takes. */
export async function inTempFolder<T>(use: (path: string) => Promise<T>): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), "assay-"));
  try {
    return await use(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
