import { readdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { commitStateOf } from "../../lib/git-status.ts";
import type { Machine } from "../../machine.ts";
import { writing } from "../writing.ts";

/** Told before anything is spent: what git could not bring back is never overwritten. */
export async function ensureCommitted(file: string, machine: Machine): Promise<void> {
  const state = await commitStateOf(file);
  if (state === "committed") return;
  const name = relative(machine.cwd, file);
  throw new UserError(
    "improve/uncommitted",
    state === "uncommitted"
      ? `${name} has changes that are not committed, so --apply would overwrite them`
      : `${name} is in no git repository, so a change could not be undone`,
    { hint: "commit it first, or leave --apply away and use the diff that is printed" },
  );
}

/** Writes the new text unless the file is no longer what the text was made from. */
export async function adoptText(
  file: string,
  { before, after }: { before: string; after: string },
  machine: Machine,
): Promise<void> {
  await ensureCommitted(file, machine);
  if ((await readFile(file, "utf8")) !== before) {
    throw new UserError(
      "improve/changed-meanwhile",
      `${relative(machine.cwd, file)} was changed while the command was at work; nothing was written`,
      { hint: "call the command again; what was asked before is answered from memory" },
    );
  }
  await sweep(file);
  await writing(file, machine, () => writeFileAtomic(file, after));
}

/** What a call that was killed at this very point left beside the file; it is nobody's and would count as the skill's. */
async function sweep(file: string): Promise<void> {
  const names = await readdir(dirname(file));
  const left = names.filter((name) => name.startsWith(`.${basename(file)}.`) && name.endsWith(".tmp"));
  for (const name of left) await rm(join(dirname(file), name));
}
