import type { Diagnostic, Location } from "../domain/diagnostic.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { ImportName } from "../domain/suite.ts";

/** Something of another tool's file that has no counterpart. */
export interface Unmapped {
  /** The field as the tool spells it; the same words are told once per file. */
  readonly field: string;
  /** The end of a sentence that begins with the field: `is not used: ...`. */
  readonly why: string;
  readonly at: Location;
  readonly hint?: string;
}

/** Tells what a file says that is not carried over, each field once with how often it occurs. */
export class UnmappedFields {
  readonly #told = new Map<string, { first: Unmapped; count: number }>();

  add(one: Unmapped): void {
    const key = `${one.field} ${one.why}`;
    const before = this.#told.get(key);
    if (before === undefined) this.#told.set(key, { first: one, count: 1 });
    else before.count++;
  }

  report(format: ImportName, report: (diagnostic: Diagnostic) => void): void {
    for (const { first, count } of this.#told.values()) {
      report({
        severity: "note",
        code: `${format}/not-carried-over`,
        message: `${first.field} ${first.why}${count === 1 ? "" : ` (${count} times)`}`,
        at: first.at,
        hint: first.hint ?? null,
      });
    }
  }
}

/** What was left over of a case, under the names it had, so that a conversion can list it. */
export function leftovers(fields: Readonly<Record<string, Json | null | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== null,
    ),
  );
}
