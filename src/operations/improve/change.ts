import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { unifiedDiff } from "../../lib/unified-diff.ts";
import type { Place } from "./place.ts";

/** Another text of a skill's file. */
export interface SkillChange {
  /** Absolute. */
  readonly file: string;
  /** As the diff names it: from the project's root, else from where the operation was called. */
  readonly path: string;
  /** Null: there is no file yet. */
  readonly before: string | null;
  readonly after: string;
  /** Further files of the skill, absolute, which change with it; absent: none. */
  readonly also?: readonly { readonly file: string; readonly before: string; readonly after: string }[];
  /** For `git apply`; empty where nothing changes. */
  readonly diff: string;
}

/** The place's skill with this text, and these texts of its other files. */
export async function changeOf(
  { skill, skillText, diffRoot }: Place,
  after: string,
  files: Readonly<Record<string, string>> = {},
): Promise<SkillChange> {
  const change = changeIn(diffRoot, { file: skill.file, before: skillText, after });
  const also = await Promise.all(
    Object.entries(files).map(async ([path, text]) => {
      const file = join(skill.root, path);
      return { file, before: await readFile(file, "utf8"), after: text };
    }),
  );
  const diffs = also.map((one) => changeIn(diffRoot, one).diff);
  return also.length === 0 ? change : { ...change, also, diff: [change.diff, ...diffs].join("") };
}

export function isChanged({ before, after, also = [] }: SkillChange): boolean {
  return before !== after || also.some((one) => one.before !== one.after);
}

export function changeIn(
  diffRoot: string,
  { file, before, after }: Pick<SkillChange, "file" | "before" | "after">,
): SkillChange {
  const path = relative(diffRoot, file).replaceAll("\\", "/");
  return { file, path, before, after, diff: unifiedDiff({ path, before, after }) };
}
