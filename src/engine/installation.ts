import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A file or folder of this installation, whether it runs from source or from the bundle. */
export function installed(...path: string[]): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, ...path);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new Error(`${path.join("/")} is missing from this installation`);
  }
}
