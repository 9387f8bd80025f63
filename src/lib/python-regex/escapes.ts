import { characterNamed } from "./character-names.ts";
import type { Cursor } from "./cursor.ts";
import type { Category, Edge, Flags } from "./pattern.ts";

export type Escape =
  | { readonly kind: "literal"; readonly code: number }
  | Category
  | { readonly kind: "edge"; readonly edge: Edge; readonly ascii: boolean }
  | { readonly kind: "backreference"; readonly group: number };

/** What follows a backslash outside `[...]`; the cursor stands behind the backslash. */
export function readEscape(cursor: Cursor, flags: Flags): Escape {
  const start = cursor.offset - 1;
  const octal = cursor.match(/0[0-7]{0,2}|[1-7][0-7]{2}/y);
  if (octal !== null) return literal(octalCode(cursor, octal[0], start));
  const group = cursor.match(/\d{1,2}/y);
  if (group !== null) return { kind: "backreference", group: Number(group[0]) };
  const edge = cursor.match(/[AZbB]/y);
  if (edge !== null) return { kind: "edge", edge: EDGES[edge[0]] ?? "word", ascii: flags.ascii };
  return readSharedEscape(cursor, flags, start);
}

/** What follows a backslash inside `[...]`. */
export function readSetEscape(cursor: Cursor, flags: Flags): Escape {
  const start = cursor.offset - 1;
  if (cursor.take("b")) return literal(0x08);
  const octal = cursor.match(/[0-7]{1,3}/y);
  if (octal !== null) return literal(octalCode(cursor, octal[0], start));
  return readSharedEscape(cursor, flags, start);
}

const EDGES: Readonly<Record<string, Edge>> = {
  A: "text-start",
  Z: "text-end",
  b: "word",
  B: "not-word",
};

const CATEGORIES: Readonly<Record<string, Category["category"]>> = { d: "digit", s: "space", w: "word" };

const CONTROLS: Readonly<Record<string, number>> = {
  a: 0x07,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
};

const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function readSharedEscape(cursor: Cursor, flags: Flags, start: number): Escape {
  if (cursor.done) cursor.fail("the pattern ends with a lone backslash", start);
  const char = cursor.next();
  const category = CATEGORIES[char.toLowerCase()];
  if (category !== undefined) {
    return { kind: "category", category, negated: char !== char.toLowerCase(), ascii: flags.ascii };
  }
  const control = CONTROLS[char];
  if (control !== undefined) return literal(control);
  const digits = HEX_DIGITS[char];
  if (digits !== undefined) return literal(hexCode(cursor, { char, digits, start }));
  if (char === "N") return literal(namedCode(cursor, start));
  if (/[A-Za-z0-9]/.test(char)) cursor.fail(`\\${char} is not an escape that Python knows`, start);
  return literal(char.codePointAt(0) ?? 0);
}

function namedCode(cursor: Cursor, start: number): number {
  const name = cursor.match(/\{([^}]*)\}/y)?.[1];
  if (name === undefined) return cursor.fail("after \\N comes a name in braces, as in \\N{BULLET}", start);
  return (
    characterNamed(name) ??
    cursor.fail(`\\N{${name}} is not a name in our list; write the character or its \\uXXXX`, start)
  );
}

function octalCode(cursor: Cursor, digits: string, start: number): number {
  const code = Number.parseInt(digits, 8);
  if (code > 0o377) cursor.fail(`\\${digits} is beyond the octal escapes, which end at \\377`, start);
  return code;
}

function hexCode(
  cursor: Cursor,
  { char, digits, start }: { char: string; digits: number; start: number },
): number {
  const found = cursor.match(/[0-9a-fA-F]{0,8}/y)?.[0] ?? "";
  cursor.offset -= Math.max(0, found.length - digits);
  if (found.length < digits) cursor.fail(`\\${char} needs ${digits} hexadecimal digits`, start);
  const code = Number.parseInt(found.slice(0, digits), 16);
  if (code > 0x10ffff) cursor.fail(`\\${char}${found.slice(0, digits)} is beyond the last character`, start);
  return code;
}

function literal(code: number): Escape {
  return { kind: "literal", code };
}
