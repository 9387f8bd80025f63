import { readFile } from "node:fs/promises";
import { type Iteration, STORE_SCHEMA } from "../domain/iteration.ts";
import { UserError } from "../domain/user-error.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import type { SecretMask } from "../lib/secret-mask.ts";
import { withPurpose } from "./read/old-iteration.ts";

/** run.json: everything the iteration's numbers depend on. The journal repeats it. */
export async function writeManifest(path: string, iteration: Iteration, mask: SecretMask): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(mask.json(iteration), null, 2)}\n`);
}

/** Null when there is none. Throws a UserError for one that this version cannot read. */
export async function readManifest(path: string): Promise<Iteration | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const manifest = parse(text);
  if (manifest === null) {
    throw new UserError("store/bad-manifest", `${path} is not an Assay manifest`, {
      hint: "the journal beside it has the same facts; remove this file to have it rebuilt",
    });
  }
  if (manifest.schema > STORE_SCHEMA) {
    throw new UserError("store/newer", `${path} was written by a newer Assay (schema ${manifest.schema})`, {
      hint: "update assay, or choose another folder with --workspace",
    });
  }
  return withPurpose(manifest as Iteration);
}

function parse(text: string): { readonly schema: number } | null {
  try {
    const value = JSON.parse(text) as { schema?: unknown } | null;
    return typeof value?.schema === "number" ? { ...value, schema: value.schema } : null;
  } catch {
    return null;
  }
}
