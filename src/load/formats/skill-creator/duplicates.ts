import type { DocNode } from "../../../lib/document/node.ts";
import type { ReadContext } from "../../../lib/shape/shape.ts";
import { find } from "./keys.ts";

/** False after an id was found twice; `1` and `"1"` are the same id. */
export function refuseDuplicates(
  entries: readonly DocNode[],
  names: readonly string[],
  context: ReadContext,
): boolean {
  const seen = new Set<string>();
  let distinct = true;
  for (const entry of entries) {
    const id = find(entry, names)?.value;
    if (id?.kind !== "int" && id?.kind !== "string") continue;
    if (seen.has(String(id.value))) {
      distinct = false;
      context.report({
        severity: "error",
        offset: id.start,
        code: "duplicate-id",
        message: `the id ${JSON.stringify(id.value)} is used twice in this file`,
        hint: "give each entry its own id",
      });
    }
    seen.add(String(id.value));
  }
  return distinct;
}
