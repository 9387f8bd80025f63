import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "../machine.ts";

/** Where the user's own configuration is. No project can write it. */
export function userConfigFolder({ env, home }: Pick<Machine, "env" | "home">): string {
  return join(env["XDG_CONFIG_HOME"]?.trim() || join(home, ".config"), "assay");
}

/**
 * Where judges' answers are remembered: with the user, because a project could bring forged ones along. Null where there is
 * no home to keep them in.
 */
export function answersFolder({ env, home }: Pick<Machine, "env" | "home">): string | null {
  const caches = env["XDG_CACHE_HOME"]?.trim() || (existsSync(home) ? join(home, ".cache") : null);
  return caches === null ? null : join(caches, "assay", "answers");
}
