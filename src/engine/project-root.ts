import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../domain/user-error.ts";
import { homeAndAbove } from "../load/project-root.ts";
import type { Machine } from "../machine.ts";

/** The project that `--project-root` names, absolute; null: it is looked for. Throws a UserError for what cannot be one. */
export function namedProjectRoot(
  named: string | null,
  { cwd, home }: Pick<Machine, "cwd" | "home">,
): string | null {
  if (named === null) return null;
  const path = resolve(cwd, named);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UserError("options/project-root", `--project-root ${named}: no such directory`, {
      hint: "pass the directory that agents should get a copy of",
    });
  }
  const real = realpathSync(path);
  if (/^\/(?:proc|sys|dev)(?:\/|$)/.test(real)) {
    throw new UserError("options/project-root", `--project-root ${named} is not a directory of files`, {
      hint: "pass the directory that agents should get a copy of",
    });
  }
  if (homeAndAbove(home).includes(real)) {
    throw new UserError(
      "options/project-root",
      `--project-root ${named} ${tooMuch(real, home)}, which would be copied into every workspace`,
      {
        hint: "pass a project in it; without the option, agents of a skill outside any project start in an empty workspace",
      },
    );
  }
  return path;
}

function tooMuch(root: string, home: string): string {
  if (root === "/") return "is the whole machine";
  const [one, other] = [root, home].map((path) => statSync(path, { throwIfNoEntry: false }));
  const isHome = one !== undefined && one.ino === other?.ino && one.dev === other.dev;
  return isHome ? "is your home directory" : "contains your home directory";
}
