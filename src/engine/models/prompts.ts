import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import type { Judge, Question } from "../../grade/judge.ts";
import { nearest } from "../../lib/nearest.ts";
import { readTextFile } from "../../lib/text-file.ts";
import type { Machine } from "../../machine.ts";

/** Whose instructions a user may replace, and the questions they are told with. */
const ROLES = { grader: "criteria", comparator: "comparison", analyzer: "analysis" } as const;
type Role = keyof typeof ROLES;

/** Instructions by role, in place of ours. */
export type Prompts = Readonly<Partial<Record<Role, string>>>;

const MOST_BYTES = 256 * 1024;

/** The files `grader.md`, `comparator.md` and `analyzer.md` of a folder; any of them may be missing, but not all. */
export async function readPrompts(folder: string | null, { cwd }: Pick<Machine, "cwd">): Promise<Prompts> {
  if (folder === null) return {};
  const path = resolve(cwd, folder);
  const names = await readdir(path).catch(() => {
    throw new UserError("prompts/no-folder", `--prompts ${folder} is not a folder that can be read`, {
      hint: HINT,
    });
  });
  const files = names.filter((name) => name.endsWith(".md") && name !== "README.md");
  const prompts: Partial<Record<Role, string>> = {};
  for (const name of files) {
    const role = name.slice(0, -".md".length);
    if (!isRole(role)) {
      const meant = nearest(role, Object.keys(ROLES));
      throw new UserError(
        "prompts/unknown",
        `--prompts ${folder} has a file ${name}, which is not an instruction file`,
        {
          hint: meant === null ? HINT : `did you mean ${meant}.md?`,
        },
      );
    }
    const file = await readTextFile(join(path, name), MOST_BYTES);
    if (!file.ok || file.text.trim() === "") {
      throw new UserError(
        "prompts/unreadable",
        `${join(folder, name)} ${file.ok ? "is empty" : file.message}`,
        { hint: HINT },
      );
    }
    prompts[role] = file.text.trim();
  }
  if (Object.keys(prompts).length > 0) return prompts;
  throw new UserError("prompts/none", `--prompts ${folder} contains no instruction files`, { hint: HINT });
}

const HINT = "add grader.md, comparator.md or analyzer.md";

function isRole(name: string): name is Role {
  return Object.hasOwn(ROLES, name);
}

/** The same judge, told these instructions; the rules about evidence and the reply stay ours. */
export function withPrompts(judge: Judge, prompts: Prompts): Judge {
  const told = new Map<string, string>(
    (Object.keys(ROLES) as Role[]).flatMap((role) => {
      const text = prompts[role];
      return text === undefined ? [] : [[ROLES[role], text] as const];
    }),
  );
  if (told.size === 0) return judge;
  return {
    ...judge,
    ask: (question, signal) => judge.ask(reworded(question, told.get(question.purpose)), signal),
  };
}

function reworded<T>(question: Question<T>, instructions: string | undefined): Question<T> {
  if (instructions === undefined) return question;
  const { rules } = question;
  return {
    ...question,
    promptVersion: `${question.promptVersion} ${digestOf(instructions)}`,
    system: rules === undefined ? instructions : `${instructions}\n\n${rules}`,
  };
}

/** For the manifest: which instructions were replaced, by the digest of what stands in their place; null: none. */
export function promptDigests(prompts: Prompts): Readonly<Record<string, string>> | null {
  const replaced = Object.entries(prompts).map(([role, text]) => [role, digestOf(text)] as const);
  return replaced.length === 0 ? null : Object.fromEntries(replaced);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
