import type { SectionField } from "../../domain/check.ts";
import type { Json } from "../../domain/json.ts";
import { compilePython } from "../../lib/python-regex/compile.ts";
import type { SafeRegex } from "../../lib/safe-regex/safe-regex.ts";
import { valueFormat } from "../../lib/value-formats.ts";

/** What code says of one extracted value; this is the only place that does. */
export interface FieldVerdict {
  /** Null when the format could not be tried. */
  readonly passed: boolean | null;
  /** Zero and false are there; null and the empty text are not. */
  readonly present: boolean;
  /** Null where no format is declared, nothing is there to have one, or it could not be tried. */
  readonly formatPassed: boolean | null;
  readonly reason: string;
}

export async function fieldVerdict(
  field: SectionField,
  value: Json,
  regex: SafeRegex,
): Promise<FieldVerdict> {
  const name = JSON.stringify(field.name);
  if (value === null || value === "") {
    return field.required
      ? { passed: false, present: false, formatPassed: null, reason: `${name} is missing` }
      : { passed: true, present: false, formatPassed: null, reason: `${name} is not given, but optional` };
  }
  const shown = valueText(value);
  if (field.format === null) {
    return { passed: true, present: true, formatPassed: null, reason: `${name} is ${JSON.stringify(shown)}` };
  }
  const tried = await hasFormat(field.format, shown, regex);
  if (tried.matches === null)
    return { passed: null, present: true, formatPassed: null, reason: tried.problem };
  const reason = `${name} ${JSON.stringify(shown)} is ${tried.matches ? "" : "not "}in the format ${field.format}`;
  const hint =
    !tried.matches && field.format === "url" && valueFormat("domain")?.matches(shown) === true
      ? '; the format "domain" takes a bare host name'
      : "";
  return { passed: tried.matches, present: true, formatPassed: tried.matches, reason: `${reason}${hint}` };
}

/** A value as text: what is shown of a Markdown link rather than the link. */
export function valueText(value: Json): string {
  if (value !== null && typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  return /^\[([^\]]*)\]\([^)\s]*\)$/.exec(text.trim())?.[1] ?? text;
}

type Tried = { readonly matches: boolean } | { readonly matches: null; readonly problem: string };

async function hasFormat(format: string, value: string, regex: SafeRegex): Promise<Tried> {
  const named = valueFormat(format);
  if (named !== null) return { matches: named.matches(value) };
  const compiled = compilePython(format, { full: true });
  if (!compiled.ok)
    return { matches: null, problem: `the format ${format} is not a pattern: ${compiled.message}` };
  const searched = await regex.search(compiled.regex, [value]);
  if (searched.status === "stopped")
    return { matches: null, problem: `the format ${format}: ${searched.reason}` };
  return { matches: searched.count > 0 };
}
