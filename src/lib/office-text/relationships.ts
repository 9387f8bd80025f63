import { posix } from "node:path";
import type { Archive } from "./unzip.ts";
import { attribute, xmlTokens } from "./xml.ts";

/** What the ids in a part of an office file point at, as names in the archive. */
export function relationships(archive: Archive, part: string): ReadonlyMap<string, string> {
  const folder = posix.dirname(part);
  const xml = archive.read(`${folder}/_rels/${posix.basename(part)}.rels`)?.toString("utf8") ?? "";
  const found = new Map<string, string>();
  for (const token of xmlTokens(xml)) {
    if (token.kind !== "open" || token.name !== "Relationship") continue;
    const id = attribute(token.attributes, "Id");
    const target = attribute(token.attributes, "Target");
    if (id === null || target === null) continue;
    found.set(id, target.startsWith("/") ? target.slice(1) : posix.join(folder, target));
  }
  return found;
}
