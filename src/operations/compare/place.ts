import { createHash } from "node:crypto";
import { type ComparisonFolder, projectFolder } from "../../store/layout.ts";

/** Where a comparison of what has these names is kept. Relative names keep it in the same place in a copied project. */
export function placeOf(results: string, names: readonly string[]): ComparisonFolder {
  const digest = createHash("sha256").update(JSON.stringify(names)).digest("hex").slice(0, 12);
  return projectFolder(results).comparison(digest);
}
