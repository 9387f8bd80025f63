import { undecidedOf } from "../../improve/loop/undecided.ts";
import { regrade } from "../../iteration/regrade.ts";
import { local } from "../../run/executors/local.ts";
import { openIteration, readIteration } from "../../store/iteration.ts";
import type { FoundIteration } from "../find-run.ts";
import { skillNameOf } from "../grade/skill-name.ts";
import type { VersionsCall } from "./open-versions.ts";

/** The iteration with the checks asked once more that nobody could decide when it was run. */
export async function gradeAgain(
  found: FoundIteration,
  { models: { grade }, request }: Pick<VersionsCall, "models" | "request">,
  signal: AbortSignal,
): Promise<FoundIteration> {
  const { options, mask, machine } = request;
  const { count, caseIds } = undecidedOf(found.state);
  if (count <= options.allowMissing || caseIds.size === 0) return found;
  await inLock();
  return { folder: found.folder, state: (await readIteration(found.folder)).state };

  async function inLock(): Promise<void> {
    await using iteration = await openIteration(found.folder, mask);
    await regrade(
      {
        iteration,
        cases: found.state.cases.map((one) => found.state.casesAsRun.get(one.id) ?? one),
        wanted: caseIds,
        grade,
        skillNameOf: skillNameOf(found),
        mask,
        executor: local({ concurrency: options.concurrency ?? 1 }),
        listen: () => {},
        now: machine.now,
      },
      signal,
    );
    signal.throwIfAborted();
  }
}
