import { DEFAULT_LIMITS, limitsText, readLimits, strictest } from "../domain/limits.ts";
import { staysIn } from "../lib/stays-in.ts";
import { replacesOther } from "./own-report.ts";

/** What a configuration that was merely found in a project may do with one setting. */
export interface PolicyRule<T> {
  /** For the docs: "A project may ...". */
  readonly may: string;
  /** What holds of what the project says; `own` is what the user's configuration says, null where it says nothing. */
  readonly held: (said: { readonly project: T; readonly own: T | null; readonly root: string }) => Held<T>;
}

/** `why` follows "assay.config.json sets sandbox: none, which ...". */
type Held<T> = { readonly value: T } | { readonly why: string };

/** Harmless, and closer to the work than what the user says for all projects. */
export function sets<T>(): PolicyRule<T> {
  return { may: "set it", held: ({ project }) => ({ value: project }) };
}

/** A limit of the user's is never raised. */
export const lowers: PolicyRule<number> = {
  may: "set it, never above yours",
  held: ({ project, own }) => ({ value: Math.min(project, own ?? project) }),
};

/** Limits of trials, as `--limits` takes them: none of the user's is ever raised, and raising one of ours is refused. */
export const lowersEach: PolicyRule<string> = {
  may: "lower it, never raise it",
  held({ project, own }) {
    const [said, most] = [readLimits(project), own === null ? DEFAULT_LIMITS : readLimits(own)];
    if (said === null || most === null) return { value: project };
    const held = limitsText(strictest(said, most));
    if (own === null && held !== limitsText(said)) return RAISES;
    return { value: held };
  },
};

/** A bar of the user's is never lowered. */
export const raises: PolicyRule<number> = {
  may: "set it, never below yours",
  held: ({ project, own }) => ({ value: Math.max(project, own ?? project) }),
};

/** Weakest first; a project may ask for at least what holds already. A value that is not listed is refused where it is used. */
export function strengthens<T extends string | boolean>(
  weakestFirst: readonly T[],
  otherwise: NoInfer<T>,
): PolicyRule<T> {
  const rank = (value: T) => weakestFirst.indexOf(value);
  return {
    may: `strengthen it: ${weakestFirst.map((value) => `\`${value}\``).join(" < ")}`,
    held({ project, own }) {
      if (rank(project) === -1 || rank(project) >= rank(own ?? otherwise)) return { value: project };
      return own === null ? ONLY_YOU : { value: own };
    },
  };
}

/** The user's place first, else one in the project. */
export const inside: PolicyRule<string> = {
  may: "name a place in the project",
  held({ project, own, root }) {
    if (own !== null) return { value: own };
    return isOutside(project, root) ? LEADS_OUT : { value: project };
  },
};

/** Reports, as `NAME` or `NAME=FILE`. */
export const filesInside: PolicyRule<readonly string[]> = {
  may: "set it, with files in the project that are not there or are such reports",
  held({ project, root }) {
    const files = project
      .map((one) => one.split("="))
      .map(([name = "", ...rest]) => ({ name, file: rest.join("=") }))
      .filter(({ file }) => file !== "");
    if (files.some(({ file }) => isOutside(file, root))) return LEADS_OUT;
    return files.some(({ name, file }) => replacesOther(name, file)) ? OVERWRITES : { value: project };
  },
};

export function never<T>(): PolicyRule<T> {
  return {
    may: "not set it: only you",
    held: ({ own }) => (own === null ? ONLY_YOU : { value: own }),
  };
}

const ONLY_YOU = { why: "which only you may decide" };
const RAISES = { why: "which allows more than the default; only you may raise limits" };
const OVERWRITES = { why: "which would overwrite a file that is not a report of Assay's" };
const LEADS_OUT = { why: "which points outside the project" };

/** What is in `.git` is not the project's to write: hooks there run as the user. */
function isOutside(path: string, root: string): boolean {
  return !staysIn(root, path) || staysIn(`${root}/.git`, path);
}
