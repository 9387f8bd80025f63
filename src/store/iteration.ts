import type { Diagnostic } from "../domain/diagnostic.ts";
import type { EvalEvent } from "../domain/event.ts";
import { diskFault } from "../domain/disk-fault.ts";
import { UserError } from "../domain/user-error.ts";
import { acquireLock, type FileLock } from "../lib/file-lock.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { openJournal, readJournal } from "./journal.ts";
import type { IterationFolder } from "./layout.ts";
import { removeUnfinished } from "./remove-unfinished.ts";
import { type IterationState, replay } from "./state.ts";

/** An iteration that this process, and no other, may write to. */
export interface OpenIteration extends AsyncDisposable {
  readonly folder: IterationFolder;
  /** As earlier runners left it; empty for a new one. */
  readonly earlier: IterationState;
  /** What could not be read of it. */
  readonly diagnostics: readonly Diagnostic[];
  readonly append: (event: EvalEvent) => Promise<void>;
}

/** Locks the folder, reads what is there and opens the journal. Throws a UserError when another runner is at work. */
export async function openIteration(folder: IterationFolder, mask: SecretMask): Promise<OpenIteration> {
  const lock = await lockIteration(folder);
  try {
    await removeUnfinished(folder.root);
    const { state: earlier, diagnostics } = await readIteration(folder);
    const journal = await openJournal({ path: folder.journal, mask, committed: earlier.committed.keys() });
    const close = async () => {
      await journal.close();
      await lock.release();
    };
    return {
      folder,
      earlier,
      diagnostics,
      append: (event) => journal.append(event),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** For everyone who only looks: reports, the viewer, a second terminal. Needs no lock. */
export async function readIteration(
  folder: IterationFolder,
): Promise<{ readonly state: IterationState; readonly diagnostics: readonly Diagnostic[] }> {
  const { events, diagnostics } = await readJournal(folder.journal);
  return { state: replay(events), diagnostics };
}

async function lockIteration(folder: IterationFolder): Promise<FileLock> {
  const attempt = await acquireLock(folder.lock).catch((error: unknown) => {
    const fault = diskFault(error, folder.lock);
    if (fault !== null) throw fault;
    throw new UserError("store/unwritable", `cannot lock ${folder.root}: ${(error as Error).message}`, {
      hint: "check that the folder exists and can be written",
      cause: error,
    });
  });
  if (attempt.acquired) return attempt.lock;
  const who =
    attempt.holder === null
      ? "another runner"
      : `process ${attempt.holder.process.pid} on ${attempt.holder.process.host}, since ${attempt.holder.acquiredAt},`;
  throw new UserError("store/locked", `${who} is already running ${folder.root}`, {
    hint: `wait for it, or stop it first; if you are sure it is gone, remove ${folder.lock}`,
  });
}
