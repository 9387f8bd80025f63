import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

import type { Skill } from "../../domain/skill.ts";
import { isAtOrBelow } from "./layer.ts";
import { type Listing, listTree } from "./project-files.ts";

/** What a skill's own text names of the project that git ignores, so that no agent will find it. `root` is a real path. */
export async function leftOutNotes(
  skill: Skill,
  root: string,
  { ignored, found }: Pick<Listing, "ignored" | "found">,
): Promise<readonly string[]> {
  if (ignored.length === 0) return [];
  const own = path.relative(root, skill.layout === "directory" ? skill.root : skill.file);
  const texts = await textsOf(skill);
  return ignored.flatMap((entry) => {
    const mention = texts.flatMap(({ name, text }) =>
      mentionsOf(entry, text)
        .filter((at) => !isAtOrBelow(at, own) && existsSync(path.join(root, at)))
        .filter((at) => !found.some((one) => isAtOrBelow(one.path, at)))
        .map((at) => ({ name, at })),
    )[0];
    if (mention === undefined) return [];
    const { name, at } = mention;
    const why = `${skill.name}: ${name} mentions ${at}, which git ignores`;
    return SECRETS.test(at)
      ? `${why} and which may hold secrets, so agents do not get it`
      : `${why}, so agents will not find it; stage it with --include ${entry}`;
  });
}

/** Nobody should be led to hand these to an agent. */
const SECRETS =
  /(?:^|\/)(?:\.env(?:\..+)?|\.npmrc|\.netrc|\.pypirc|credentials(?:\..+)?|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p12|pfx))$/iu;

/** Paths in the text that are at or below the entry. A bare word such as `build` names a folder only with a slash. */
function mentionsOf(entry: string, text: string): readonly string[] {
  const name = entry.replace(/\/$/u, "");
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const end = /[./_]/u.test(name) ? String.raw`(?![\w-])` : "(?=/)";
  const pattern = new RegExp(String.raw`(?<![\w.-])${escaped}${end}(?:/[\w./-]*)?`, "gu");
  return [...text.matchAll(pattern)].map(([found]) => found.replace(/[./]+$/u, ""));
}

/** SKILL.md and what else people write: enough of it to be useful, little enough to read before every run. */
async function textsOf(skill: Skill): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const first = { name: path.basename(skill.file), file: skill.file };
  const others = skill.layout === "command" ? [] : (await listTree(skill.root)).found;
  const rest = others
    .filter((one) => one.kind === "file" && TEXT.test(one.path) && !/(?:^|\/)evals\//u.test(one.path))
    .map((one) => ({ name: one.path, file: path.join(skill.root, one.path) }))
    .filter(({ file }) => file !== skill.file);
  const read = async ({ name, file }: { name: string; file: string }) => {
    const size = await stat(file).then(
      (stats) => stats.size,
      () => Infinity,
    );
    return { name, text: size > MOST_BYTES ? "" : await readFile(file, "utf8").catch(() => "") };
  };
  return Promise.all([first, ...rest.slice(0, MOST_FILES)].map(read));
}

const TEXT = /\.(?:md|txt|ya?ml|json|toml|sh|py|[cm]?js|ts)$/iu;
const MOST_FILES = 100;
const MOST_BYTES = 256 * 1024;
