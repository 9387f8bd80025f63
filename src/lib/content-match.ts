import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** What the files of a folder say, to recognize it elsewhere. */
export interface KnownContent {
  /** Paths by digest. */
  readonly digests: ReadonlyMap<string, string>;
  /** Texts long enough to be recognized inside another file, with white space evened out. */
  readonly texts: readonly { readonly path: string; readonly text: string }[];
}

/** Shorter files are alike by chance. */
const LEAST_BYTES = 40;
const LEAST_TEXT = 120;
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_FILES = 2000;

/** Every file below `root` but those that `leaveOut` names; paths are relative, with forward slashes. */
export async function knownContent(
  root: string,
  { leaveOut, isText }: { leaveOut: (path: string) => boolean; isText: (path: string) => boolean },
): Promise<KnownContent> {
  const digests = new Map<string, string>();
  const texts: { path: string; text: string }[] = [];
  for (const path of (await filesBelow(root)).filter((one) => !leaveOut(one)).slice(0, MOST_FILES)) {
    const bytes = await contentOf(join(root, path));
    if (bytes === null) continue;
    digests.set(digestOf(bytes), path);
    const text = isText(path) ? even(bytes.toString("utf8")) : "";
    if (text.length >= LEAST_TEXT) texts.push({ path, text });
  }
  return { digests, texts };
}

/** The known file that a text, or what lies at a path, equals or contains; null: none. */
export async function matchAny(
  given: { readonly content: string } | { readonly source: string | null },
  known: KnownContent,
): Promise<string | null> {
  if ("content" in given) return matchOf(Buffer.from(given.content), known);
  return given.source === null ? null : matchIn(given.source, known);
}

/** The known file that this file, or one below this directory, equals or contains; null: none. */
async function matchIn(path: string, known: KnownContent): Promise<string | null> {
  const isDirectory = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const files = isDirectory ? (await filesBelow(path)).map((one) => join(path, one)) : [path];
  for (const file of files.slice(0, MOST_FILES)) {
    const bytes = await contentOf(file);
    const found = bytes === null ? null : matchOf(bytes, known);
    if (found !== null) return found;
  }
  return null;
}

function matchOf(bytes: Buffer, { digests, texts }: KnownContent): string | null {
  const same = digests.get(digestOf(bytes));
  if (same !== undefined) return same;
  if (texts.length === 0) return null;
  const text = even(bytes.toString("utf8"));
  return texts.find((one) => text.includes(one.text))?.path ?? null;
}

async function filesBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}

async function contentOf(path: string): Promise<Buffer | null> {
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  return size < LEAST_BYTES || size > MOST_BYTES ? null : readFile(path).catch(() => null);
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Without frontmatter, which a copy may lack. */
function even(text: string): string {
  return text
    .replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
