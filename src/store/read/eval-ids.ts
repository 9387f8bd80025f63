import type { Case } from "../../domain/suite.ts";
import { evalIds, type IterationFolder } from "../layout.ts";
import { evalMetadataReader } from "./eval-metadata.ts";

/** The numeric ids that an iteration's metadata gives its evals; an iteration of a few cases keeps the numbers of all. */
export async function readEvalIds(
  folder: IterationFolder,
  cases: readonly Case[],
  caseFolders: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const counted = evalIds(cases);
  const written = await Promise.all(
    [...counted.keys()].map(async (id) => {
      const place = caseFolders.get(id);
      const read = place === undefined ? null : await evalMetadataReader.read(folder.case(place).metadata);
      return [id, read?.value?.evalId] as const;
    }),
  );
  const usable = written.every(([, id]) => typeof id === "number");
  const distinct = new Set(written.map(([, id]) => id)).size === written.length;
  return usable && distinct ? new Map(written as [string, number][]) : counted;
}
