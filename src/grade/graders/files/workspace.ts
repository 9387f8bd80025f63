import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { globToRegExp } from "../../../lib/glob.ts";
import { normalizeRelative } from "../../../lib/relative-path.ts";
import type { Subject } from "../../subject.ts";

/** A file that lay in the workspace when the run had ended. */
export interface WorkspaceFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  /** Absolute path of a copy; null when a cap kept it out. */
  readonly stored: string | null;
}

/** What the run wrote, the staged inputs, and what the case's overlays brought and the run left alone. */
export async function workspaceFiles(subject: Subject): Promise<readonly WorkspaceFile[]> {
  const found = new Map<string, WorkspaceFile>();
  const gone = new Set(deletedPaths(subject));
  for (const overlay of subject.case.overlays) {
    for (const file of await filesBelow(overlay)) if (!gone.has(file.path)) found.set(file.path, file);
  }
  for (const { path, stored } of subject.files) found.set(path, { path, stored });
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

export function deletedPaths({ run }: Subject): readonly string[] {
  return run.changes.flatMap(({ path, change }) => (change === "deleted" ? [path] : []));
}

/** Does a path match the glob itself, or lie in a directory that does? */
export function pathTest(glob: string): (path: string) => boolean {
  const regex = globToRegExp(normalizeRelative(glob));
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      if (regex.test(path.slice(0, end))) return true;
    }
    return false;
  };
}

async function filesBelow(root: string): Promise<readonly WorkspaceFile[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const stored = join(entry.parentPath, entry.name);
      return { path: relative(root, stored).replaceAll("\\", "/"), stored };
    });
}
