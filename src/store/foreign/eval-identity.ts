import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type EvalMetadata, evalMetadataReader } from "../read/eval-metadata.ts";
import type { FoundRunFolder } from "../read/runs.ts";
import { problemAt, type Report } from "./foreign.ts";
import { readIfThere } from "./read-if-there.ts";

/** In the eval's folder, else beside its first run. */
export async function metadataOf(
  top: string,
  runs: readonly FoundRunFolder[],
  report: Report,
): Promise<EvalMetadata | null> {
  const places = [top, ...runs.flatMap(({ folder }) => [folder.root, dirname(folder.root)])];
  const paths = [...new Set(places)]
    .map((place) => join(place, "eval_metadata.json"))
    .filter((path) => existsSync(path));
  let found: EvalMetadata | null = null;
  for (const path of paths) {
    const read = await readIfThere(evalMetadataReader, path, report);
    if (read === null) continue;
    if (found !== null && read.prompt !== null && found.prompt !== null && read.prompt !== found.prompt)
      report(
        problemAt(
          path,
          "other-prompt",
          "the prompt differs from the one beside the other runs of this eval; the first is used",
        ),
      );
    found ??= read;
  }
  return found;
}

/** As the aggregator takes it from the folder. */
export function idIn(folder: string): string | number {
  const [, number] = /^eval-(\d{1,9})(?:-|$)/.exec(folder) ?? [];
  return number === undefined ? folder.replace(/^eval-/, "") : Number(number);
}

/** An id that no other eval has; two that share one are told apart by their folders. */
export function freeId(
  wanted: string | number,
  { folder, taken, report, at }: { folder: string; taken: Map<string, string>; report: Report; at: string },
): string | number {
  const other = taken.get(String(wanted));
  if (other === undefined) {
    taken.set(String(wanted), folder);
    return wanted;
  }
  report(
    problemAt(
      join(at, "eval_metadata.json"),
      "same-id",
      `${other} and ${folder} are both eval ${wanted}; this one is called ${folder} here`,
    ),
  );
  taken.set(folder, folder);
  return folder;
}
