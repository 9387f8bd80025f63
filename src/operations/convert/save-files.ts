import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import type { Machine } from "../../machine.ts";
import { writing } from "../shared/writing.ts";

/** Writes all of the files or, where one is in the way, none. */
export async function saveFiles<F extends { readonly name: string | null; readonly text: string }>(
  files: readonly F[],
  { output, force, machine }: { output: string; force: boolean; machine: Machine },
): Promise<readonly (F & { readonly path: string })[]> {
  const wanted = files.map((file) => ({ ...file, path: resolve(machine.cwd, output, file.name ?? "") }));
  const taken = wanted.find(({ path }) => existsSync(path));
  if (taken !== undefined && !force) {
    throw new UserError("convert/exists", `${relative(machine.cwd, taken.path)} already exists`, {
      hint: "choose another --output, or add --force to overwrite it",
    });
  }
  for (const { path, text } of wanted) {
    await writing(path, machine, async () => {
      await makeFolder(dirname(path));
      await writeFile(path, text);
    });
  }
  return wanted;
}
