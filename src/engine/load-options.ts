import type { LoadOptions } from "../load/load.ts";
import type { Machine } from "../machine.ts";
import type { Plugins } from "./plugins.ts";

/** Where files are looked for; skills are not linted. */
export function loadOptions(
  { evals, skill, formats }: { evals: string | null; skill: string | null; formats: Plugins["formats"] },
  { cwd, env, home }: Machine,
): LoadOptions {
  const skilletDir = (env["SKILLET_DIR"] ?? "").trim() === "" ? null : (env["SKILLET_DIR"] ?? null);
  return { cwd, evals, skill, skilletDir, home, lint: null, furtherFormats: formats };
}
