import { evalIds } from "../store/layout.ts";
import { evalMetadataFile } from "../store/write/eval-metadata.ts";
import { writeEvalMetadata } from "../store/write/run-folder.ts";
import type { OpenWork } from "./work.ts";

/** What skill-creator's tools need to know about each eval, in the folders where they look for it. */
export async function writeMetadata(work: OpenWork): Promise<void> {
  const ids = evalIds(work.suite.cases);
  const skill = work.suite.skill?.name ?? "";
  const written = new Set<string>();
  for (const { caseId, variant } of work.plan.trials) {
    const one = work.cases.get(caseId);
    const evalId = ids.get(caseId);
    const folder = work.folders.get(caseId);
    const key = `${caseId}/${variant}`;
    if (one === undefined || evalId === undefined || folder === undefined || written.has(key)) continue;
    written.add(key);
    const file = evalMetadataFile(one, evalId, variant, skill);
    await writeEvalMetadata(work.iteration.folder.case(folder), { variant, file }, work.mask);
  }
}
