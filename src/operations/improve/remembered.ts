import { readFile } from "node:fs/promises";
import { listAt, objectAt, textAt, textOrNull, textsAt } from "../../lib/loose.ts";
import type { Split } from "../../triggers/split.ts";

interface SameCall {
  readonly split: Split;
  readonly original: string;
  /** What makes descriptions comparable. */
  readonly about: object;
  /** A loop that ended is not continued. */
  readonly asksAnew: boolean;
}

/** The descriptions that an earlier call with the same skill, agent and split was given, from the file it left. */
export async function rememberedDescriptions(
  path: string,
  { split, original, about, asksAnew }: SameCall,
): Promise<readonly string[]> {
  const file = await readJson(path);
  if (file === null) return [];
  const ids = (name: keyof Split) => JSON.stringify(split[name].map(({ id }) => id));
  const was = objectAt(file, "split");
  const same =
    textAt(file, "original_description") === original &&
    JSON.stringify(objectAt(file, "about")) === JSON.stringify(about) &&
    (["train", "validation", "test"] as const).every(
      (part) => JSON.stringify(textsAt(was, part)) === ids(part),
    );
  const finished = textOrNull(file, "exit_reason") !== null;
  if (!same || (finished && asksAnew)) return [];
  return listAt(file, "history")
    .slice(1)
    .map((entry) => textAt(entry, "description"));
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as unknown;
  } catch {
    return null;
  }
}
