import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { hasErrors } from "../domain/diagnostic.ts";
import { UserError } from "../domain/user-error.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { zip, type ZipEntry } from "../lib/zip.ts";
import { isInside } from "./directory.ts";
import { lintSkill } from "./lint/lint.ts";
import type { Profile } from "./lint/rules.ts";

export interface Package {
  /** Absolute path of the archive. */
  readonly path: string;
  /** Names in the archive, sorted. */
  readonly files: readonly string[];
  /** Paths relative to the skill that were left out on purpose. */
  readonly leftOut: readonly string[];
  readonly bytes: number;
  readonly sha256: string;
  /** What lint has to say that does not stop the packaging. */
  readonly notes: readonly Diagnostic[];
}

/**
 * Writes the skill's files as a `.skill` archive, below one directory named like the skill's. The same files give
 * the same bytes. Throws a UserError, and writes nothing, when lint finds errors or a link cannot be packed.
 */
export async function packageSkill(
  skillDirectory: string,
  out: string,
  options: { readonly profile?: Profile } = {},
): Promise<Package> {
  const directory = resolve(skillDirectory);
  const path = resolve(out);
  const notes = await lintSkill(directory, { profile: options.profile ?? "spec" });
  if (hasErrors(notes)) {
    const diagnostics = notes.filter(({ severity }) => severity === "error");
    const message = `${basename(directory)} cannot be packaged: lint found ${count(diagnostics.length, "error")}`;
    throw new UserError("package/lint-errors", message, { diagnostics });
  }
  const collection: Collection = { root: await realpath(directory), out: path, entries: [], leftOut: [] };
  await collect(directory, basename(directory), collection);
  const archive = zip(collection.entries);
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, archive);
  return {
    path,
    files: collection.entries.map(({ name }) => name).sort(),
    leftOut: collection.leftOut.sort(),
    bytes: archive.length,
    sha256: createHash("sha256").update(archive).digest("hex"),
    notes,
  };
}

interface Collection {
  /** The skill without links in its path. */
  readonly root: string;
  readonly out: string;
  readonly entries: ZipEntry[];
  readonly leftOut: string[];
}

async function collect(directory: string, prefix: string, collection: Collection): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    const name = `${prefix}/${entry.name}`;
    if (path === collection.out) continue;
    if (isLeftOut(entry.name, !prefix.includes("/"))) {
      collection.leftOut.push(name.slice(name.indexOf("/") + 1));
    } else if (entry.isDirectory()) await collect(path, name, collection);
    else if (entry.isFile()) collection.entries.push(await pack(path, name));
    else if (entry.isSymbolicLink()) collection.entries.push(await packLink(path, name, collection.root));
    else throw refuse(path, "it is neither a file nor a directory", "remove it from the skill");
  }
}

/** What is made, secret or for tests only. */
function isLeftOut(name: string, atTop: boolean): boolean {
  if (["__pycache__", "node_modules", ".DS_Store", ".git", ".assay"].includes(name)) return true;
  if (name.endsWith(".pyc") || /^\.env(?:\.(?!example$|sample$|template$|dist$).*)?$/.test(name)) return true;
  return atTop && name === "evals";
}

async function pack(path: string, name: string): Promise<ZipEntry> {
  try {
    const [{ mode }, content] = await Promise.all([stat(path), readFile(path)]);
    return { name, content, executable: (mode & 0o100) !== 0 };
  } catch (error) {
    throw refuse(path, `it cannot be read: ${(error as Error).message}`, null);
  }
}

/** The file that the link stands for. */
async function packLink(path: string, name: string, root: string): Promise<ZipEntry> {
  const target = await realpath(path).catch(() => null);
  if (target === null) throw refuse(path, "it is a broken link", "remove it or fix it");
  if (!isInside(target, root)) {
    throw refuse(path, "it is a link that points outside the skill", "put a copy of the file in its place");
  }
  if (!(await stat(target)).isFile()) {
    throw refuse(path, "it is a link to a directory", "put a copy of the directory in its place");
  }
  return pack(target, name);
}

function refuse(path: string, reason: string, hint: string | null): UserError {
  return new UserError(
    "package/unpackable-file",
    `${path} cannot be packaged: ${reason}`,
    hint === null ? {} : { hint },
  );
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
