import type { Diagnostic, Location } from "../domain/diagnostic.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { ImportName } from "../domain/suite.ts";
import type { LoadContext } from "./format.ts";

/** Something of another tool's file that has no counterpart. */
export interface Unmapped {
  /** The field as the tool spells it; the same words are told once per file. */
  readonly field: string;
  /** The end of a sentence that begins with the field: `is not used: ...`. */
  readonly why: string;
  readonly at: Location;
  readonly hint?: string;
}

/** Tells what files say that is not carried over, each field once with how often it occurs. */
export class UnmappedFields {
  readonly #told = new Map<
    string,
    { first: Unmapped; format: ImportName; count: number; files: Set<string> }
  >();

  add(format: ImportName, one: Unmapped): void {
    const key = `${format} ${one.field} ${one.why}`;
    const before = this.#told.get(key) ?? { first: one, format, count: 0, files: new Set() };
    before.count++;
    before.files.add(one.at.file);
    this.#told.set(key, before);
  }

  report(report: (diagnostic: Diagnostic) => void): void {
    for (const { first, format, count, files } of this.#told.values()) {
      report({
        severity: "note",
        code: `${format}/not-carried-over`,
        message: `${first.field} ${first.why}${often(count, files.size)}`,
        at: first.at,
        hint: first.hint ?? null,
      });
    }
    this.#told.clear();
  }
}

function often(count: number, files: number): string {
  if (count === 1) return "";
  return files === 1 ? ` (${count} times)` : ` (${count} times in ${files} files)`;
}

/** Tells about one file at its end, or leaves it to whoever reads many of them. */
export function unmappedIn(
  format: ImportName,
  { unmapped, report }: Pick<LoadContext, "unmapped" | "report">,
): { readonly add: (one: Unmapped) => void; readonly end: () => void } {
  const fields = unmapped ?? new UnmappedFields();
  return {
    add: (one) => fields.add(format, one),
    end: () => {
      if (unmapped === undefined) fields.report(report);
    },
  };
}

export type TellUnmapped = Pick<ReturnType<typeof unmappedIn>, "add">;

/** What was left over of a case, under the names it had, so that a conversion can list it. */
export function leftovers(fields: Readonly<Record<string, Json | null | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== null,
    ),
  );
}
