import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe } from "vitest";

/** Real files that people published, kept beside the project where it is developed; not part of it. */
const SHARED = fileURLToPath(new URL("../../../shared", import.meta.url));

/** Where a part of it is, or would be. */
export function inCorpus(path: string): string {
  return join(SHARED, path);
}

/** Tests on real files; skipped, with the reason in the title, where they are not beside the project. */
export function describeCorpus(title: string, path: string, tests: (found: string) => void): void {
  const found = inCorpus(path);
  const isFound = existsSync(found);
  describe.skipIf(!isFound)(`${title}${isFound ? "" : ` (corpus not found: ${path})`}`, () => {
    tests(found);
  });
}
