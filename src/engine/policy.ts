import { staysIn } from "../lib/stays-in.ts";

/** What a configuration that was merely found in a project may do with one setting. */
export interface Rule<T> {
  /** For the docs: "A project may ...". */
  readonly may: string;
  /** What holds of what the project says; `own` is what the user's configuration says, null where it says nothing. */
  readonly held: (said: { readonly project: T; readonly own: T | null; readonly root: string }) => Held<T>;
}

/** `why` follows "assay.config.json sets sandbox: none, which ...". */
type Held<T> = { readonly value: T } | { readonly why: string };

/** Harmless, and closer to the work than what the user says for all projects. */
export function sets<T>(): Rule<T> {
  return { may: "set it", held: ({ project }) => ({ value: project }) };
}

/** A limit of the user's is never raised. */
export const lowers: Rule<number> = {
  may: "set it, never above yours",
  held: ({ project, own }) => ({ value: Math.min(project, own ?? project) }),
};

/** A bar of the user's is never lowered. */
export const raises: Rule<number> = {
  may: "set it, never below yours",
  held: ({ project, own }) => ({ value: Math.max(project, own ?? project) }),
};

/** Weakest first; a project may ask for at least what holds already. A value that is not listed is refused where it is used. */
export function strengthens<T extends string | boolean>(
  weakestFirst: readonly T[],
  otherwise: NoInfer<T>,
): Rule<T> {
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
export const inside: Rule<string> = {
  may: "name a place in the project",
  held({ project, own, root }) {
    if (own !== null) return { value: own };
    return isOutside(project, root) ? LEADS_OUT : { value: project };
  },
};

/** Reports, as `NAME` or `NAME=FILE`. */
export const filesInside: Rule<readonly string[]> = {
  may: "set it, with files in the project",
  held({ project, root }) {
    const files = project.map((one) => one.split("=").slice(1).join("=")).filter((file) => file !== "");
    return files.some((file) => isOutside(file, root)) ? LEADS_OUT : { value: project };
  },
};

export function never<T>(): Rule<T> {
  return {
    may: "not set it: only you",
    held: ({ own }) => (own === null ? ONLY_YOU : { value: own }),
  };
}

const ONLY_YOU = { why: "which only you may decide" };
const LEADS_OUT = { why: "which leads out of the project" };

/** What is in `.git` is not the project's to write: hooks there run as the user. */
function isOutside(path: string, root: string): boolean {
  return !staysIn(root, path) || staysIn(`${root}/.git`, path);
}
