import type { Cursor } from "./cursor.ts";
import type { Flags } from "./pattern.ts";

/** Flags for the whole pattern, `(?i)`, which Python allows only at its start; comments may stand between. */
export function readLeadingFlags(cursor: Cursor, flags: Flags): Flags {
  let current = flags;
  for (;;) {
    if (current.verbose) cursor.match(/(?:[ \t\n\r\v\f]+|#[^\n]*)+/y);
    if (cursor.match(/\(\?#[^)]*\)/y) !== null) continue;
    const found = cursor.match(/\(\?([aimsuxL]+)\)/y);
    if (found === null) return current;
    current = switchOn(cursor, current, { letters: found[1] ?? "", start: cursor.offset - found[0].length });
  }
}

/** The flags of `(?i-s:...)`; the cursor stands behind `(?` and is moved behind the colon. */
export function readScopedFlags(cursor: Cursor, flags: Flags, start: number): Flags {
  const found = cursor.match(/([a-zA-Z]*)(?:-([a-zA-Z]*))?([:)])/y);
  if (found === null) return cursor.fail(`(?${cursor.peek()} is not a group that Python knows`, start);
  const [, on = "", off = null, end] = found;
  if (end === ")") {
    cursor.fail(`flags for the whole pattern, (?${on}), must come first in it`, start);
  }
  const unknown = /[^aimsuxL]/.exec(on + (off ?? ""));
  if (unknown !== null) cursor.fail(`there is no flag ${unknown[0]}`, start);
  if (off === "") cursor.fail("a flag is missing after -", start);
  const cannotEnd = /[auL]/.exec(off ?? "");
  if (cannotEnd !== null) cursor.fail(`the flag ${cannotEnd[0]} cannot be switched off`, start);
  const both = on.split("").find((letter) => off?.includes(letter) === true);
  if (both !== undefined) cursor.fail(`the flag ${both} is switched on and off`, start);
  const switched = switchOn(cursor, flags, { letters: on, start });
  const ended = (off ?? "").split("").map((letter) => [FLAG_NAMES[letter] ?? "ignoreCase", false]);
  return { ...switched, ...Object.fromEntries(ended) };
}

const FLAG_NAMES: Readonly<Record<string, keyof Flags>> = {
  i: "ignoreCase",
  m: "multiline",
  s: "dotAll",
  x: "verbose",
  a: "ascii",
};

function switchOn(
  cursor: Cursor,
  flags: Flags,
  { letters, start }: { letters: string; start: number },
): Flags {
  if (letters.includes("L")) cursor.fail("the flag L is for bytes only", start);
  if (letters.includes("a") && letters.includes("u")) {
    cursor.fail("the flags a and u cannot be combined", start);
  }
  const named = letters
    .split("")
    .flatMap((letter) => FLAG_NAMES[letter] ?? [])
    .map((name) => [name, true]);
  const unicode = letters.includes("u") ? { ascii: false } : {};
  return { ...flags, ...unicode, ...Object.fromEntries(named) };
}
