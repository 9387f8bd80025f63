import { join } from "node:path";
import type { Machine } from "../machine.ts";

/** Where the user's own configuration is. No project can write it. */
export function userConfigFolder({ env, home }: Pick<Machine, "env" | "home">): string {
  return join(env["XDG_CONFIG_HOME"]?.trim() || join(home, ".config"), "assay");
}
