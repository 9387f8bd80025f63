import { open } from "node:fs/promises";
import path from "node:path";

import { inParallel, parentOf } from "./layer.ts";
import type { Found } from "./project-files.ts";

/**
 * Tells which of a project's files no agent may see, whichever skill is under test: eval files of any skill, the folders
 * that exist for them, and reports that an earlier evaluation left.
 */
export async function notForAgents(
  root: string,
  found: readonly Found[],
): Promise<(relative: string) => boolean> {
  const names = found.filter(({ kind }) => kind !== "directory").map((entry) => entry.path);
  const skills = skillsIn(names);
  const telling = new Set<string>();
  const files = found.filter(({ kind, path: name }) => kind === "file" && mayTell(name));
  await inParallel(files, async ({ path: relative }) => {
    if (tells(relative, await headOf(path.join(root, relative)))) telling.add(relative);
  });
  const folders = new Set([
    ...skills.folders.map((folder) => (folder === "" ? "evals" : `${folder}/evals`)),
    ...names
      .filter(isConventional)
      .map(parentOf)
      .filter((folder) => isEvalsFolder(folder, skills.names)),
  ]);
  return (relative) =>
    /\.eval\.json$/iu.test(relative) ||
    telling.has(relative) ||
    isBelowOneOf(relative, folders) ||
    isBelowEvalsOf(relative, skills.names);
}

interface Skills {
  readonly folders: readonly string[];
  /** Of the folders and the commands. */
  readonly names: ReadonlySet<string>;
}

function skillsIn(names: readonly string[]): Skills {
  const folders = names.filter((name) => /(?:^|\/)skill\.md$/iu.test(name)).map(parentOf);
  const commands = names.flatMap(
    (name) => /(?:^|\/)\.claude\/commands\/.*?([^/]+)\.md$/u.exec(name)?.[1] ?? [],
  );
  return { folders, names: new Set([...folders.map((folder) => path.posix.basename(folder)), ...commands]) };
}

/** Names that make the folder around them one of evals. */
function isConventional(relative: string): boolean {
  return /(?:^|\/)(?:evals|triggers|cases)\.json$/u.test(relative);
}

function isEvalsFolder(folder: string, skills: ReadonlySet<string>): boolean {
  const parts = folder.split("/");
  return folder !== "" && (parts.includes("evals") || skills.has(parts.at(-1) ?? ""));
}

/** `evals/…/<name>/…` is about the skill of that name. */
function isBelowEvalsOf(relative: string, skills: ReadonlySet<string>): boolean {
  const parts = relative.split("/");
  const evals = parts.indexOf("evals");
  return evals >= 0 && parts.slice(evals + 1, -1).some((part) => skills.has(part));
}

function isBelowOneOf(relative: string, folders: ReadonlySet<string>): boolean {
  for (let at = parentOf(relative); at !== ""; at = parentOf(at)) if (folders.has(at)) return true;
  return false;
}

/** Others are not opened. */
function mayTell(relative: string): boolean {
  return /\.(?:json|xml)$/iu.test(relative);
}

/** What the beginning of a file says it is, wherever it is and whatever it is called. */
function tells(relative: string, head: string): boolean {
  if (/\.xml$/iu.test(relative)) return /^<\?xml[^>]*\?>\s*<testsuites name="assay"/u.test(head);
  if (/^\{\s*"iterations":\s*\[\s*(?:\]|\{\s*"suite":)/u.test(head)) return true;
  if (/^\s*\[\s*\{[^[\]{}]*"should_trigger"\s*:/u.test(head)) return true;
  return (
    isConventional(relative) && /"(?:skill_name|should_trigger|expectations|expected_output)"\s*:/u.test(head)
  );
}

async function headOf(file: string): Promise<string> {
  try {
    await using handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead).replace(/^\uFEFF/u, "");
  } catch {
    return "";
  }
}

const HEAD_BYTES = 4096;
