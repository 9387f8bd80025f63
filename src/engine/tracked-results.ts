import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../domain/user-error.ts";
import { git } from "../lib/git.ts";
import type { Machine } from "../machine.ts";

/**
 * A result that came with the repository: whoever may commit could have written it, so it says nothing about a run. The
 * journal's path; null: there is none.
 */
export async function trackedJournal(results: string, { env }: Pick<Machine, "env">): Promise<string | null> {
  if (!existsSync(results)) return null;
  const listed = await git(["ls-files", "-z", "--", ":(glob)**/journal.jsonl"], { cwd: results, env }).catch(
    () => "",
  );
  const [first = ""] = listed.split("\0");
  return first === "" ? null : join(results, first);
}

/** Throws a UserError where runs would be taken for made because the repository says so. */
export async function refuseTrackedResults(
  results: string,
  { machine, flag }: { readonly machine: Pick<Machine, "env">; readonly flag: string },
): Promise<void> {
  const journal = await trackedJournal(results, machine);
  if (journal === null) return;
  throw new UserError(
    "run/tracked-results",
    `${journal} is committed to the repository, so ${flag} cannot rely on it: anyone who can commit could have written it`,
    {
      hint: `run without ${flag}, or take results out of git: git rm -r --cached ${results}`,
    },
  );
}
