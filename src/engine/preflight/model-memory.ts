import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { removeLeftovers } from "../../lib/remove-leftovers.ts";
import { numberOrNull, parseLine } from "../../lib/loose.ts";
import type { Machine } from "../../machine.ts";
import { cacheFolder } from "../user-folders.ts";
import type { ModelQuestion } from "./model.ts";

type Asked = Pick<ModelQuestion, "upstream" | "model">;

/** Which services knew which models a day ago or less. */
export interface ModelMemory {
  readonly knows: (asked: Asked) => Promise<boolean>;
  readonly remember: (asked: Asked) => Promise<void>;
}

const DAY_MS = 24 * 3_600_000;

/** In the user's cache directory; where there is none, or it cannot be written, nothing is remembered. */
export function modelMemory(machine: Machine): ModelMemory {
  const { now } = machine;
  const folder = cacheFolder(machine);
  if (folder === null) return { knows: async () => false, remember: async () => {} };
  const path = join(folder, "models.json");
  const read = async () => parseLine(await readFile(path, "utf8").catch(() => "")) ?? {};
  const isFresh = (at: number | null) => at !== null && now().getTime() - at < DAY_MS;
  return {
    knows: async (asked) => isFresh(numberOrNull(await read(), keyOf(asked))),
    async remember(asked) {
      const entries = Object.entries(await read()).filter(([, at]) => typeof at === "number" && isFresh(at));
      const text = JSON.stringify({ ...Object.fromEntries(entries), [keyOf(asked)]: now().getTime() });
      await removeLeftovers(folder);
      await makeFolder(folder)
        .then(() => writeFileAtomic(path, text, { durable: false }))
        .catch(() => {});
    },
  };
}

/** The key of the service is in it as part of a hash, so that another key is tried again. */
function keyOf({ upstream: { baseUrl, key }, model }: Asked): string {
  return createHash("sha256")
    .update(JSON.stringify([baseUrl, key, model]))
    .digest("hex");
}
