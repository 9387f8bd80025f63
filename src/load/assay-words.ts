import type { Claim } from "../domain/check.ts";
import { CHECK_KINDS } from "../domain/checks/index.ts";
import type { CheckEntry } from "../domain/checks/kind.ts";
import { type Word, wordOf } from "./assay-word.ts";

/** The word for a claim or a `type`; null when the vocabulary has none. */
export function wordFor(kind: string): Word | null {
  return WORDS.get(kind) ?? null;
}

export function wordNames(): readonly string[] {
  return [...WORDS.keys()];
}

const WORDS: ReadonlyMap<string, Word> = new Map(
  Object.entries(CHECK_KINDS).flatMap(([kind, { layer, entry }]): [string, Word][] =>
    entry === null ? [] : [[kind, wordOf(kind, { layer, entry: entry as CheckEntry<Claim> })]],
  ),
);
