import type { Cursor } from "./cursor.ts";
import { readSetEscape } from "./escapes.ts";
import { type Flags, foldOf, type PatternNode, type SetMember } from "./pattern.ts";

/** A `[...]`; the cursor stands behind the opening bracket. */
export function readSet(cursor: Cursor, flags: Flags): PatternNode {
  const start = cursor.offset - 1;
  const negated = cursor.take("^");
  const members: SetMember[] = [];
  const first = cursor.offset;
  while (cursor.offset === first || !cursor.take("]")) members.push(readMember(cursor, flags, start));
  return { kind: "set", negated, members, fold: foldOf(flags) };
}

function readMember(cursor: Cursor, flags: Flags, setStart: number): SetMember {
  const start = cursor.offset;
  const from = readOne(cursor, flags, setStart);
  if (!/^-[^\]]/su.test(cursor.text.slice(cursor.offset, cursor.offset + 3))) return from;
  cursor.take("-");
  const to = readOne(cursor, flags, setStart);
  const written = cursor.text.slice(start, cursor.offset);
  if (from.kind !== "range" || to.kind !== "range") {
    return cursor.fail(`${written} is not a range of characters`, start);
  }
  if (to.from < from.from) cursor.fail(`the range ${written} runs backwards`, start);
  return { kind: "range", from: from.from, to: to.from };
}

function readOne(cursor: Cursor, flags: Flags, setStart: number): SetMember {
  if (cursor.done) cursor.fail("a [ is never closed", setStart);
  const char = cursor.next();
  if (char !== "\\") return single(char.codePointAt(0) ?? 0);
  const escape = readSetEscape(cursor, flags);
  if (escape.kind === "category") return escape;
  return single(escape.kind === "literal" ? escape.code : 0);
}

function single(code: number): SetMember {
  return { kind: "range", from: code, to: code };
}
