import { basename, dirname } from "node:path";

/** The skill's name as the file's place says it, for files that do not declare one. */
export function skillNameFromPath(path: string): string {
  const file = basename(path);
  const parent = basename(dirname(path));
  if ((file === "SKILL.eval.json" || file === "eval.json") && parent !== "") return parent;
  return file.replace(/\.eval\.json$|\.[^.]+$/, "") || file;
}
