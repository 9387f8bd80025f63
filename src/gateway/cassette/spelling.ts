import type { Json } from "../../domain/json.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";

/** What differs from machine to machine, by the name that stands for it on a tape. */
export type SpelledPlaces = Readonly<Record<string, readonly string[]>>;

/** Spells text for a tape and back. Names in braces stand for places; a literal `{{@` is kept apart from them. */
export interface Spelling {
  readonly toTape: (text: string) => string;
  readonly fromTape: (text: string) => string;
}

export function spelling(places: SpelledPlaces, mask: SecretMask): Spelling {
  const forms = formsOf(places);
  const byForm = new Map(forms.map(({ form, name }) => [form, name]));
  const found = forms.length === 0 ? null : patternOf(forms);
  const values = new Map(forms.map(({ name, form }) => [name, form]));
  const toTape = (text: string): string => {
    const escaped = text.replaceAll("{{@", "{{@@}}");
    const placed =
      found === null ? escaped : escaped.replace(found, (form) => `{{@${byForm.get(form) ?? ""}}}`);
    return mask.text(placed);
  };
  const fromTape = (text: string): string =>
    text.replaceAll(/\{\{@(@|[A-Z]+(?::[a-z]+)?)\}\}/g, (whole, name: string) =>
      name === "@" ? "{{@" : (values.get(name) ?? whole),
    );
  return { toTape, fromTape };
}

/** Every string of a JSON value. Arguments of tools are JSON in a string: they are opened, so that escapes hide nothing. */
export function respelled(value: Json, spell: (text: string) => string, key = ""): Json {
  if (typeof value === "string") return ARGUMENTS.has(key) ? spelledJson(value, spell) : spell(value);
  if (Array.isArray(value)) return value.map((element: Json) => respelled(element, spell));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, respelled(inner, spell, name)]);
  return Object.fromEntries(entries) as Json;
}

const ARGUMENTS: ReadonlySet<string> = new Set(["partial_json", "arguments"]);

function spelledJson(text: string, spell: (text: string) => string): string {
  const inner = parsed(text);
  if (inner === null) return spell(text);
  const changed = JSON.stringify(respelled(inner, spell));
  return changed === JSON.stringify(inner) ? text : changed;
}

function parsed(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

interface Form {
  readonly name: string;
  readonly form: string;
}

/** Longest first, so that a place inside another is known by its own name. The first spelling of a name is the one read back. */
function formsOf(places: SpelledPlaces): readonly Form[] {
  const all = Object.entries(places).flatMap(([name, values]) =>
    values.flatMap((value) => [
      { name, form: value },
      ...differing(value, `${name}:uri`, encodeURI(value)),
      ...differing(value, `${name}:sh`, value.replaceAll(/[^\w@%+=:,./-]/g, "\\$&")),
      ...(name === "WS" ? [{ name: "WS:slug", form: value.replaceAll(/[^A-Za-z0-9]/g, "-") }] : []),
    ]),
  );
  const usable = all.filter(({ form }) => form.length >= SHORTEST && !form.includes("{{@"));
  const first = usable.filter(
    ({ form }, index) => usable.findIndex((other) => other.form === form) === index,
  );
  return first.toSorted((a, b) => b.form.length - a.form.length);
}

/** What is shorter turns up in innocent text. */
const SHORTEST = 6;

function differing(value: string, name: string, form: string): readonly Form[] {
  return form === value ? [] : [{ name, form }];
}

/** Whole paths and whole words only. */
function patternOf(forms: readonly Form[]): RegExp {
  const any = forms.map(({ form }) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\w.])(?:${any})(?![\\w-]|\\.\\w)`, "g");
}
