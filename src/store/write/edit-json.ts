import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json, JsonObject } from "../../domain/json.ts";
import { UserError } from "../../domain/user-error.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { acquireLock, type FileLock } from "../../lib/file-lock.ts";
import { removeLeftoversOf } from "../../lib/remove-leftovers.ts";

/**
 * Changes an object in a file as it is on the disk then, whoever wrote it; no file is an empty object. Resolves when the new
 * one outlasts a crash. A file that cannot be read is left alone.
 */
export async function editJson(path: string, change: (file: JsonObject) => JsonObject): Promise<void> {
  const before = turns.get(path) ?? Promise.resolve();
  const turn = before.then(() => editAlone(path, change));
  const ended = turn.catch(() => {});
  turns.set(path, ended);
  try {
    await turn;
  } finally {
    if (turns.get(path) === ended) turns.delete(path);
  }
}

/** By file: the last edit that this process has begun. */
const turns = new Map<string, Promise<void>>();

async function editAlone(path: string, change: (file: JsonObject) => JsonObject): Promise<void> {
  await using _ = await locked(`${path}.lock`);
  await removeLeftoversOf(path);
  const edited = change(await contentOf(path));
  await writeFileAtomic(path, `${JSON.stringify(edited, null, 2)}\n`);
}

const TURN_MS = 25;
const MOST_TURNS = 400;

/** Another viewer's edit takes milliseconds. */
async function locked(path: string): Promise<FileLock> {
  for (let round = 0; round < MOST_TURNS; round++) {
    const attempt = await acquireLock(path);
    if (attempt.acquired) return attempt.lock;
    await sleep(TURN_MS);
  }
  throw new UserError("view/feedback-locked", `${path} is in use by another program`, {
    hint: "close other viewers; if there are none, remove that file",
  });
}

async function contentOf(path: string): Promise<JsonObject> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return {};
  const value = parsed(text);
  if (isJsonObject(value)) return value;
  throw new UserError(
    "view/feedback-unreadable",
    `${path} is not a valid ${basename(path)}, so nothing is written to it`,
    { hint: "repair it or move it away, and try again" },
  );
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
