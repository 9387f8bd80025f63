import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { removeLeftovers } from "../lib/remove-leftovers.ts";
import type { Machine } from "../machine.ts";
import { userConfigFolder } from "./user-folders.ts";

/** Digests of what the user has agreed to, in their own configuration, never in the project. */
export interface TrustMemory {
  readonly read: () => Promise<ReadonlySet<string>>;
  readonly add: (digests: readonly string[]) => Promise<void>;
}

export function trustMemory(
  machine: Machine,
  name: "trusted-scripts" | "trusted-skills" | "trusted-servers",
): TrustMemory {
  const path = join(userConfigFolder(machine), name);
  const read = async () => {
    const text = await readFile(path, "utf8").catch(() => "");
    return new Set(text.split("\n").filter((line) => line !== ""));
  };
  return {
    read,
    async add(digests) {
      const all = new Set([...(await read()), ...digests]);
      await mkdir(dirname(path), { recursive: true });
      await removeLeftovers(dirname(path));
      await writeFileAtomic(path, `${[...all].join("\n")}\n`, { mode: 0o600 });
    },
  };
}

export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
