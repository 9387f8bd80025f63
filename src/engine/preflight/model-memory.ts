import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { numberOrNull, parseLine } from "../../lib/loose.ts";
import type { Machine } from "../../machine.ts";
import type { ModelQuestion } from "./model.ts";

type Asked = Pick<ModelQuestion, "upstream" | "model">;

/** Which services knew which models a day ago or less. */
export interface ModelMemory {
  readonly knows: (asked: Asked) => Promise<boolean>;
  readonly remember: (asked: Asked) => Promise<void>;
}

const DAY_MS = 24 * 3_600_000;

/** In the user's cache directory; where that cannot be written, nothing is remembered. */
export function modelMemory({ env, home, now }: Machine): ModelMemory {
  const path = join(env["XDG_CACHE_HOME"] || join(home, ".cache"), "assay", "models.json");
  const read = async () => parseLine(await readFile(path, "utf8").catch(() => "")) ?? {};
  const isFresh = (at: number | null) => at !== null && now().getTime() - at < DAY_MS;
  return {
    knows: async (asked) => isFresh(numberOrNull(await read(), keyOf(asked))),
    async remember(asked) {
      const entries = Object.entries(await read()).filter(([, at]) => typeof at === "number" && isFresh(at));
      const text = JSON.stringify({ ...Object.fromEntries(entries), [keyOf(asked)]: now().getTime() });
      await makeFolder(dirname(path))
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
