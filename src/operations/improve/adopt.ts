import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { commitStateOf } from "../../lib/git-status.ts";
import { removeLeftoversOf } from "../../lib/remove-leftovers.ts";
import type { Machine } from "../../machine.ts";
import { writing } from "../shared/writing.ts";
import { type SkillChange, isChanged } from "./change.ts";

/** Whether a change was written into the project, and why not. */
export type Adoption =
  | { readonly status: "applied" }
  /** The caller did not say `apply`. */
  | { readonly status: "not-asked" }
  | { readonly status: "nothing-new" }
  /** The work ended too early to tell, or fresh runs do not confirm that what was chosen is better. */
  | { readonly status: "withheld"; readonly why: "unfinished" | "unconfirmed" }
  /** Writing it would have destroyed something, or was not possible. */
  | { readonly status: "refused"; readonly error: UserError };

/** Writes the change, unless git could not bring back what it overwrites or the file was changed meanwhile. */
export async function adopt(change: SkillChange, machine: Machine): Promise<Adoption> {
  if (!isChanged(change)) return { status: "nothing-new" };
  const { also = [] } = change;
  try {
    for (const { file } of also) await ensureCommitted(file, machine);
    if (change.before === null) await writeNew(change, machine);
    else if (change.before !== change.after) await overwrite(change, { before: change.before, machine });
    for (const one of also) await overwrite(one, { before: one.before, machine });
    return { status: "applied" };
  } catch (error) {
    if (error instanceof UserError) return { status: "refused", error };
    throw error;
  }
}

/** Call it before anything is spent: what git could not bring back is never overwritten. */
export async function ensureCommitted(file: string, machine: Machine): Promise<void> {
  const state = await commitStateOf(file, machine.env);
  if (state === "committed") return;
  const name = relative(machine.cwd, file);
  throw new UserError(
    "improve/uncommitted",
    state === "uncommitted"
      ? `${name} has changes that are not committed, so --apply would overwrite them`
      : `${name} is not in a git repository, so a change could not be undone`,
    { hint: "commit it first, or leave out --apply and use the diff that is printed" },
  );
}

async function writeNew({ file, after }: SkillChange, machine: Machine): Promise<void> {
  await writing(file, machine, async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, after, { flag: "wx" });
  });
}

async function overwrite(
  { file, after }: Pick<SkillChange, "file" | "after">,
  { before, machine }: { before: string; machine: Machine },
): Promise<void> {
  await ensureCommitted(file, machine);
  if ((await readFile(file, "utf8")) !== before) {
    throw new UserError(
      "improve/changed-meanwhile",
      `${relative(machine.cwd, file)} was changed while the command was running; nothing was written`,
      { hint: "run the command again; earlier answers come from the cache" },
    );
  }
  // What a call that was killed at this very point left beside the file would count as the skill's.
  await removeLeftoversOf(file);
  await writing(file, machine, () => writeFileAtomic(file, after));
}
