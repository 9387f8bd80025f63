import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { commitStateOf } from "../../lib/git-status.ts";
import type { Machine } from "../../machine.ts";
import { writing } from "../shared/writing.ts";
import type { Change } from "./change.ts";

/** Whether a change was written into the project, and why not. */
export type Adoption =
  | { readonly status: "applied" }
  /** The caller did not say `apply`. */
  | { readonly status: "not-asked" }
  | { readonly status: "nothing-new" }
  /** The work ended too early to tell, or what was chosen did worse where it counts. */
  | { readonly status: "withheld"; readonly why: "unfinished" | "worse" }
  /** Writing it would have destroyed something, or was not possible. */
  | { readonly status: "refused"; readonly error: UserError };

/** Writes the change, unless git could not bring back what it overwrites or the file was changed meanwhile. */
export async function adopt(change: Change, machine: Machine): Promise<Adoption> {
  if (change.after === change.before) return { status: "nothing-new" };
  try {
    await (change.before === null
      ? writeNew(change, machine)
      : overwrite(change, { before: change.before, machine }));
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
      : `${name} is in no git repository, so a change could not be undone`,
    { hint: "commit it first, or leave out --apply and use the diff that is printed" },
  );
}

async function writeNew({ file, after }: Change, machine: Machine): Promise<void> {
  await writing(file, machine, async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, after, { flag: "wx" });
  });
}

async function overwrite(
  { file, after }: Change,
  { before, machine }: { before: string; machine: Machine },
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
