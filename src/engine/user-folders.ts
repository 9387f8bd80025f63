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
  const folder = cacheFolder({ env, home });
  return folder === null ? null : join(folder, "answers");
}

/** The folder of the answers, and the file with the key that seals them, which lies elsewhere: a cache may be restored from anywhere. */
export function answersKept(
  machine: Pick<Machine, "env" | "home">,
): { readonly folder: string; readonly keyFile: string } | null {
  const folder = answersFolder(machine);
  return folder === null ? null : { folder, keyFile: join(userConfigFolder(machine), "answers.key") };
}

/** Where the user's own caches are; null where there is no home, because nobody wants one made. */
export function cacheFolder({ env, home }: Pick<Machine, "env" | "home">): string | null {
  const caches = env["XDG_CACHE_HOME"]?.trim() || (existsSync(home) ? join(home, ".cache") : null);
  return caches === null ? null : join(caches, "assay");
}
