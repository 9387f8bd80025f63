import type { Json, JsonObject } from "../../../domain/json.ts";
import { type DocEntry, type DocNode, toPlain } from "../../../lib/document/node.ts";
import { nearest } from "../../../lib/nearest.ts";
import {
  below,
  INVALID,
  type Invalid,
  type ReadContext,
  type Shape,
  type ShapeProblem,
} from "../../../lib/shape/shape.ts";

import { SPELLING_KEY } from "./spelling.ts";

/** A field, its accepted spellings (the format's own first), and what it holds. */
export interface Spelled<T> {
  readonly names: readonly string[];
  readonly shape: Shape<T>;
}

export interface Picked<T> {
  readonly value: T;
  readonly entry: DocEntry;
}

/** Reads the first of the field's spellings that is there and not null; null when none is. */
export function pick<T>(node: DocNode, field: Spelled<T>, context: ReadContext): Picked<T> | null | Invalid {
  const entry = find(node, field.names);
  if (entry === null) return null;
  const value = field.shape.read(entry.value, below(context, entry.key));
  return value === INVALID ? INVALID : { value, entry };
}

export function find(node: DocNode, names: readonly string[]): DocEntry | null {
  if (node.kind !== "object") return null;
  for (const name of names) {
    const entry = node.entries.find((candidate) => candidate.key === name);
    if (entry !== undefined && entry.value.kind !== "null") return entry;
  }
  return null;
}

/** The entries that were not read, as they are. A null where a known key stands says nothing and is dropped. */
export function leftOver(node: DocNode, read: ReadonlySet<DocEntry>, known: readonly string[]): DocEntry[] {
  if (node.kind !== "object") return [];
  return node.entries.filter(
    (entry) => !read.has(entry) && !(entry.value.kind === "null" && known.includes(entry.key)),
  );
}

export function toExtras(entries: readonly DocEntry[]): JsonObject {
  const kept = entries.filter((entry) => entry.key !== SPELLING_KEY);
  return Object.fromEntries(kept.map((entry): [string, Json] => [entry.key, toPlain(entry.value)]));
}

/** Collects what deserves one note a file rather than one for each of its entries. */
export class Tally {
  readonly #seen = new Map<string, { note: Omit<ShapeProblem, "severity">; count: number }>();

  add(note: Omit<ShapeProblem, "severity">): void {
    const before = this.#seen.get(note.message);
    this.#seen.set(note.message, { note: before?.note ?? note, count: (before?.count ?? 0) + 1 });
  }

  /** Notes each entry that the format does not know; `_*` keys are the author's own. */
  addUnknown(entries: readonly DocEntry[], owner: string, known: readonly string[]): void {
    for (const entry of entries) {
      if (entry.key === SPELLING_KEY) this.add(reserved(entry));
      if (entry.key.startsWith("_")) continue;
      const near = nearest(entry.key, known);
      this.add({
        offset: entry.keySpan.start,
        code: "unknown-key",
        message: `${owner} has the unknown key ${JSON.stringify(entry.key)}: it is ignored`,
        ...(near === null || near === entry.key ? {} : { hint: `did you mean ${JSON.stringify(near)}?` }),
      });
    }
  }

  report(context: ReadContext): void {
    for (const { note, count } of this.#seen.values()) {
      const message = count === 1 ? note.message : `${note.message} (${count} times in this file)`;
      context.report({ severity: "note", ...note, message });
    }
  }
}

function reserved(entry: DocEntry): Omit<ShapeProblem, "severity"> {
  return {
    offset: entry.keySpan.start,
    code: "reserved-key",
    message: `the key ${JSON.stringify(entry.key)} is reserved for Assay and is not kept`,
  };
}
