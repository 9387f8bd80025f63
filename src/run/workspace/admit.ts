import { readlink, realpath } from "node:fs/promises";
import path from "node:path";

import type { Skill } from "../../domain/skill.ts";
import { type EntryKind, type Entries, isAtOrBelow, parentOf } from "./layer.ts";
import type { Listing } from "./project-files.ts";
import { copiesOf } from "./skill-copies.ts";

/** What may never be inside a workspace. */
export interface Barred {
  /** Real absolute paths, each with all below it: eval files and directories, overlays, results. */
  readonly hidden: readonly string[];
  /** No copy of these comes from anywhere but the staging of the skill itself. */
  readonly skills: readonly Skill[];
}

export interface Admitted {
  /** Everything with the directories that lead to it. */
  readonly entries: Entries;
  /** Where links point once staged, by path. */
  readonly links: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** What of a listing of `root` (a real path) a workspace may hold. Links that lead out of `root` are left out. */
export async function admit(
  root: string,
  listing: Pick<Listing, "found" | "notes">,
  barred: Barred,
): Promise<Admitted> {
  const isCopy = await copiesOf(barred.skills, root, listing.found);
  const entries = new Map<string, EntryKind>();
  const links = new Map<string, string>();
  const notes = [...listing.notes];
  for (const { path: relative, kind } of listing.found) {
    if (isCopy(relative) || isHidden(path.join(root, relative), barred.hidden)) continue;
    if (kind === "link") {
      const target = await innerTarget(root, relative);
      if (target === null) {
        notes.push(`${relative} is a link that points outside ${root} and was left out`);
        continue;
      }
      links.set(relative, target);
    }
    addWithParents(entries, relative, kind);
  }
  return { entries, links, notes };
}

export function isHidden(absolute: string, hidden: readonly string[]): boolean {
  return hidden.some((path) => isAtOrBelow(absolute, path));
}

function addWithParents(entries: Map<string, EntryKind>, relative: string, kind: EntryKind): void {
  const parent = parentOf(relative);
  if (parent !== "" && !entries.has(parent)) addWithParents(entries, parent, "directory");
  entries.set(relative, kind);
}

/** The link's target, relative, when it stays inside `root`; a dangling or circular one is judged by its words. */
async function innerTarget(root: string, relative: string): Promise<string | null> {
  const absolute = path.join(root, relative);
  const declared = await readlink(absolute);
  const meant = path.resolve(path.dirname(absolute), declared);
  const real = await realpath(absolute).catch(() => meant);
  if (!isAtOrBelow(real, root)) return null;
  if (!path.isAbsolute(declared)) return isAtOrBelow(meant, root) ? declared : null;
  return path.relative(path.dirname(absolute), isAtOrBelow(meant, root) ? meant : real) || ".";
}
