import type { FoundFile } from "./eval-files.ts";

/** One skill to load with its eval files, or eval files whose skill is not known. */
export interface LoadSubject {
  /** Absolute path of the skill under test: SKILL.md, a command file, or as the user named it. */
  readonly skillFile: string | null;
  /** Names the suite where there is no skill. */
  readonly name: string;
  readonly files: readonly FoundFile[];
  /** Absolute skill file around which more eval files are to be looked for; null when `files` is all. */
  readonly lookAround: string | null;
  /** The target held many, so that one without evals is nothing to dwell on. */
  readonly amongMany: boolean;
}

/** A skill whose evals are still to be found. */
export function skillSubject(skillFile: string, amongMany = false): LoadSubject {
  return { skillFile, name: "", files: [], lookAround: skillFile, amongMany };
}

/** Eval files the user named. */
export function evalsSubject(
  name: string,
  skillFile: string | null,
  files: readonly FoundFile[],
): LoadSubject {
  return { skillFile, name, files, lookAround: null, amongMany: false };
}
