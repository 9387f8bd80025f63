import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { removeLeftovers } from "../../lib/remove-leftovers.ts";
import type { Cassette, CassetteHeader } from "./cassette.ts";
import { readCassette, writeCassette } from "./cassette-text.ts";

/** The folder of cassettes: one file for each trial, readable names. Null when there is none for it yet. */
export async function loadCassette(folder: string, header: CassetteHeader): Promise<Cassette | null> {
  const path = cassettePath(folder, header);
  const text = await readIfThere(path);
  if (text === null) return null;
  const cassette = readCassette(text);
  if (cassette !== null) return cassette;
  throw new UserError("cassette/unreadable", `${path} is not a cassette that this version can read`, {
    hint: "record it again with --record, or restore it from version control",
  });
}

/** Whole or not at all. */
export async function saveCassette(folder: string, cassette: Cassette): Promise<void> {
  const path = cassettePath(folder, cassette.header);
  await makeFolder(dirname(path));
  await removeLeftovers(dirname(path));
  await writeFileAtomic(path, writeCassette(cassette));
}

/** `<suite>/<case>.<variant>.<harness>.<model>.run-<n>.jsonl`. */
export function cassettePath(
  folder: string,
  { suite, caseId, variant, harness, model, repetition }: CassetteHeader,
): string {
  const parts = [caseId, variant, harness, model ?? "default"].map(nameOf);
  return join(folder, nameOf(suite), `${parts.join(".")}.run-${repetition}.jsonl`);
}

/** Fit for every file system; what had to be changed or cut is told apart by a digest. */
function nameOf(text: string): string {
  const plain = text
    .replaceAll(/[^\w@+.-]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "")
    .slice(0, LONGEST_NAME);
  if (plain === text) return plain;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 6);
  return plain === "" ? digest : `${plain}-${digest}`;
}

const LONGEST_NAME = 48;

export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
