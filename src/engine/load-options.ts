import type { LoadOptions } from "../load/load.ts";
import type { Machine } from "../machine.ts";
import type { Plugins } from "./plugins.ts";
import { namedProjectRoot } from "./project-root.ts";

/** What a configuration adds that eval files are read by. */
export type LoadPlugins = Pick<Plugins, "formats" | "judges">;

interface Wishes {
  readonly evals: string | null;
  readonly skill: string | null;
  readonly plugins: LoadPlugins;
  /** Ends the waiting for such a format; absent: nothing does, but its limit. */
  readonly signal?: AbortSignal;
  /** As the user wrote it; absent or null: it is looked for. */
  readonly projectRoot?: string | null;
}

/** Where files are looked for; skills are not linted. */
export function loadOptions(
  { evals, skill, plugins, signal, projectRoot = null }: Wishes,
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
    furtherFormats: plugins.formats,
    furtherJudges: plugins.judges.map(({ name }) => name),
    ...(signal && { signal }),
  };
}
