import { UserError } from "../../domain/user-error.ts";

/** A skill as a server describes it, checked: its files with their digests, by path in the skill. */
export interface ServedEntry {
  readonly uri: string;
  readonly name: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly files: readonly ServedFile[];
}

export interface ServedFile {
  readonly uri: string;
  /** Relative, with forward slashes; never leads out of the skill. */
  readonly path: string;
  /** Of its bytes, hexadecimal. */
  readonly sha256: string;
  readonly size: number;
}

/** What every client must take, and we take no more. */
const MOST_FILES = 512;
export const MOST_SKILL_BYTES = 16 * 1024 * 1024;

/** Throws a UserError for an entry that no client may load, before anything is read of it. */
export function readEntry(value: unknown): ServedEntry {
  const entry: Readonly<Record<string, unknown>> = isObject(value) ? value : {};
  const { uri, frontmatter, resources } = entry;
  if (typeof uri !== "string" || uri.length > 2000) throw lies("a skill", "it has no URI");
  const root = /^([a-z][a-z0-9+.-]*:\/\/.+)\/SKILL\.md$/i.exec(uri)?.[1];
  if (root === undefined) throw lies(uri, "its URI does not end with /SKILL.md");
  const name = isObject(frontmatter) ? frontmatter["name"] : null;
  if (!isObject(frontmatter) || typeof name !== "string" || !NAME.test(name))
    throw lies(uri, "its frontmatter has no usable name");
  if (root.split("/").at(-1) !== name) throw lies(uri, `its URI names another skill than ${name}`);
  if (resources === "dynamic")
    throw new UserError("served/dynamic", `${uri} is generated anew each time, so it cannot be pinned`, {
      hint: "a result must say which skill it is about; ask for a static form of it",
    });
  if (!Array.isArray(resources) || resources.length === 0) throw lies(uri, "it does not list its files");
  if (resources.length > MOST_FILES)
    throw lies(uri, `it has ${resources.length} files, and may have ${MOST_FILES}`);
  const files = resources.map((one) => readFile(one, { uri, root }));
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MOST_SKILL_BYTES) throw lies(uri, `it has ${size} bytes, and may have ${MOST_SKILL_BYTES}`);
  if (!files.some((file) => file.path === "SKILL.md")) throw lies(uri, "it does not list its SKILL.md");
  const paths = files.map(({ path }) => path.toLowerCase());
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  if (twice !== undefined) throw lies(uri, `it lists ${JSON.stringify(twice)} twice`);
  const inFile = paths.find((path) => paths.some((other) => other.startsWith(`${path}/`)));
  if (inFile !== undefined) throw lies(uri, `${JSON.stringify(inFile)} is a file and a folder`);
  return { uri, name, frontmatter, files };
}

/** The skill's own words cannot be trusted, so they are shown and never followed. */
export function lies(uri: string, why: string): UserError {
  return new UserError("served/bad-skill", `the server's ${JSON.stringify(uri)} cannot be used: ${why}`, {
    hint: "nothing of it was written; tell the server's author",
  });
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

function readFile(value: unknown, { uri, root }: { uri: string; root: string }): ServedFile {
  const entry: Readonly<Record<string, unknown>> = isObject(value) ? value : {};
  const { uri: own, digest, size } = entry;
  if (typeof own !== "string" || !own.startsWith(`${root}/`))
    throw lies(uri, "it lists a file that is not in it");
  const path = pathOf(own.slice(root.length + 1));
  if (path === null)
    throw lies(uri, `it lists the path ${JSON.stringify(own.slice(root.length + 1).slice(0, 100))}`);
  const sha256 = typeof digest === "string" ? /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1] : undefined;
  if (sha256 === undefined) throw lies(uri, `${path} has no sha256 digest`);
  if (!Number.isSafeInteger(size) || (size as number) < 0) throw lies(uri, `${path} has no size`);
  return { uri: own, path, sha256, size: size as number };
}

/** Null for whatever could lead elsewhere or hide something on any system. */
function pathOf(written: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(written);
  } catch {
    return null;
  }
  if (path.length > 200) return null;
  const parts = path.split("/");
  const isPlain = (part: string) =>
    /^[\p{L}\p{N}._ ()@+=,-]{1,100}$/u.test(part) && !/^\.{1,2}$/.test(part) && !/[. ]$/.test(part);
  return parts.length <= 16 && parts.every(isPlain) && !parts.includes(".git") ? path : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
