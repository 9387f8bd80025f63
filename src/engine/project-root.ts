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
    throw new UserError("options/project-root", `--project-root ${named}: there is no such directory`, {
      hint: "name the directory that agents are to work in a copy of",
    });
  }
  const real = realpathSync(path);
  if (homeAndAbove(home).includes(real)) {
    const what = real === "/" ? "the whole machine" : "your home directory";
    throw new UserError(
      "options/project-root",
      `--project-root ${named} is ${what}, which would be copied into every workspace`,
      {
        hint: "name a project in it; without the option, agents of a skill outside any project start in an empty workspace",
      },
    );
  }
  return path;
}
