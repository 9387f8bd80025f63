import type { Trial } from "../domain/trial.ts";
import { evalMetadataFile } from "../store/write/eval-metadata.ts";
import { writeEvalMetadata } from "../store/write/run-folder.ts";
import type { OpenWork } from "./work.ts";

/** What skill-creator's tools need to know about each eval, in the folders where they look for it. */
export async function writeMetadata(work: OpenWork): Promise<void> {
  const written = new Set<string>();
  for (const { caseId, variant } of work.plan.trials) {
    const key = `${caseId}/${variant}`;
    if (written.has(key)) continue;
    written.add(key);
    await write(work, { caseId, variant });
  }
}

/** Once it is known how the client was told, the files say that. */
export async function correctMetadata(
  work: OpenWork,
  told: Told & { readonly prompt: string },
): Promise<void> {
  if (work.cases.get(told.caseId)?.prompt.kind === "invocation") await write(work, told);
}

interface Told extends Pick<Trial, "caseId" | "variant"> {
  /** Absent: as the case says it. */
  readonly prompt?: string;
}

async function write(work: OpenWork, { caseId, variant, prompt }: Told): Promise<void> {
  const one = work.cases.get(caseId);
  const evalId = work.evalIds.get(caseId);
  const folder = work.folders.get(caseId);
  if (one === undefined || evalId === undefined || folder === undefined) return;
  const planned = evalMetadataFile(one, evalId, variant, work.suite.skill?.name ?? "");
  const file = prompt === undefined ? planned : { ...planned, prompt };
  await writeEvalMetadata(work.iteration.folder.case(folder), { variant, file }, work.mask);
}
