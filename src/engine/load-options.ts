import type { LoadOptions } from "../load/load.ts";
import type { Machine } from "../machine.ts";
import type { Plugins } from "./plugins.ts";
import { namedProjectRoot } from "./project-root.ts";

interface Wishes {
  readonly evals: string | null;
  readonly skill: string | null;
  readonly formats: Plugins["formats"];
  /** As the user wrote it; absent or null: it is looked for. */
  readonly projectRoot?: string | null;
}

/** Where files are looked for; skills are not linted. */
export function loadOptions(
  { evals, skill, formats, projectRoot = null }: Wishes,
  machine: Machine,
): LoadOptions {
  const { cwd, env, home } = machine;
  const skilletDir = (env["SKILLET_DIR"] ?? "").trim() === "" ? null : (env["SKILLET_DIR"] ?? null);
  return {
    cwd,
    evals,
    skill,
    skilletDir,
    home,
    projectRoot: namedProjectRoot(projectRoot, machine),
    lint: null,
    furtherFormats: formats,
  };
}
