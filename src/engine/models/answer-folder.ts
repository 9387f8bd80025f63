import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AnswerStore } from "../../grade/judges/cached.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { memo } from "../../lib/memo.ts";
import { removeLeftovers } from "../../lib/remove-leftovers.ts";

/**
 * Answers in a folder, each with a seal that only who has the user's key can make: a cache may be restored from anywhere.
 * One without it is not believed. An answer that cannot be kept is still an answer.
 */
export function answerFolder(folder: string, keyFile: string): AnswerStore {
  const path = (key: string) => join(folder, key.slice(0, 2), `${key}.json`);
  const secret = memo(() => userSecret(keyFile));
  const swept = memo(removeLeftovers);
  return {
    async get(key) {
      const kept = await readFile(path(key), "utf8").catch(() => null);
      const end = kept?.indexOf("\n") ?? -1;
      if (kept === null || end === -1) return null;
      const text = kept.slice(end + 1);
      const own = await secret(null);
      return own !== null && isSame(kept.slice(0, end), seal(own, key, text)) ? text : null;
    },
    async put(key, text) {
      try {
        const own = await secret(null);
        if (own === null) return;
        await makeFolder(dirname(path(key)));
        await swept(dirname(path(key)));
        await writeFileAtomic(path(key), `${seal(own, key, text)}\n${text}`, { durable: false });
      } catch {
        // The next call asks again.
      }
    },
  };
}

function seal(secret: string, key: string, text: string): string {
  return createHmac("sha256", secret).update(`${key}\n${text}`).digest("hex");
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Made when it is first needed, for nobody else to read; null where there is no place for it. */
async function userSecret(file: string): Promise<string | null> {
  await removeLeftovers(dirname(file));
  const kept = await known(file);
  if (kept !== null) return kept;
  try {
    await makeFolder(dirname(file));
    await writeFileAtomic(file, `${randomBytes(32).toString("hex")}\n`, { durable: false, mode: 0o600 });
  } catch {
    return null;
  }
  return known(file);
}

async function known(file: string): Promise<string | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  return /^[0-9a-f]{64}$/.exec(text.trim())?.[0] ?? null;
}
