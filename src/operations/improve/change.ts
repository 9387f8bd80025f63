import { relative } from "node:path";
import { unifiedDiff } from "../../lib/unified-diff.ts";
import type { Place } from "./place.ts";

/** Another text of a skill's file. */
export interface Change {
  /** Absolute. */
  readonly file: string;
  /** As the diff names it: from the project's root, else from where the operation was called. */
  readonly path: string;
  /** Null: there is no file yet. */
  readonly before: string | null;
  readonly after: string;
  /** For `git apply`; empty where nothing changes. */
  readonly diff: string;
}

/** The place's skill with this text. */
export function changeOf({ skill, skillText, diffRoot }: Place, after: string): Change {
  return changeIn(diffRoot, { file: skill.file, before: skillText, after });
}

export function changeIn(
  diffRoot: string,
  { file, before, after }: Pick<Change, "file" | "before" | "after">,
): Change {
  const path = relative(diffRoot, file).replaceAll("\\", "/");
  return { file, path, before, after, diff: unifiedDiff({ path, before, after }) };
}
