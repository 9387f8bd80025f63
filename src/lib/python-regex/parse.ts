import { Cursor } from "./cursor.ts";
import { readEscape } from "./escapes.ts";
import { Groups } from "./groups.ts";
import { type Flags, foldOf, type PatternNode } from "./pattern.ts";
import { readLeadingFlags, readScopedFlags } from "./flags.ts";
import { readSet } from "./sets.ts";

/** Groups nested deeper than this are refused before anything recurses over them. */
const MAX_DEPTH = 100;

/** Reads Python's `re` spelling; throws `PatternError` for what Python refuses and for what is not supported. */
export function parsePattern(pattern: string, flags: Flags): PatternNode {
  const parser = new Parser(pattern);
  const node = parser.choice(readLeadingFlags(parser.cursor, flags), 0);
  if (!parser.cursor.done) parser.cursor.fail("a ) closes nothing");
  parser.checkConditions();
  return node;
}

class Parser {
  readonly cursor: Cursor;
  readonly #groups = new Groups();
  readonly #asked: { readonly group: number; readonly offset: number }[] = [];

  constructor(pattern: string) {
    this.cursor = new Cursor(pattern);
  }

  choice(flags: Flags, depth: number): PatternNode {
    if (depth > MAX_DEPTH) this.cursor.fail(`groups are nested more than ${MAX_DEPTH} deep`);
    const branches = [this.#sequence(flags, depth)];
    while (this.cursor.take("|")) branches.push(this.#sequence(flags, depth));
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : { kind: "choice", branches };
  }

  #sequence(flags: Flags, depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.cursor.done && !/[|)]/.test(this.cursor.peek())) {
      if (flags.verbose && this.cursor.match(/[ \t\n\r\v\f]+|#[^\n]*/y) !== null) continue;
      if (this.cursor.match(/\(\?#[^)]*\)/y) !== null) continue;
      const start = this.cursor.offset;
      const bounds = this.#quantifier();
      if (bounds === null) parts.push(this.#atom(flags, depth));
      else parts.push(this.#repeat(parts.pop(), { ...bounds, offset: start }));
    }
    return { kind: "sequence", parts };
  }

  /** Null, with the cursor unmoved, when no quantifier comes next. */
  #quantifier(): { min: number; max: number } | null {
    if (this.cursor.take("*")) return { min: 0, max: Infinity };
    if (this.cursor.take("+")) return { min: 1, max: Infinity };
    if (this.cursor.take("?")) return { min: 0, max: 1 };
    const start = this.cursor.offset;
    const braces = this.cursor.match(/\{(\d*)(,?)(\d*)\}/y);
    if (braces === null || braces[0] === "{}") {
      this.cursor.offset = start;
      return null;
    }
    const [, low = "", comma = "", high = ""] = braces;
    const min = Number(low);
    const max = comma === "" ? min : high === "" ? Infinity : Number(high);
    if (min > max) this.cursor.fail(`${braces[0]} asks for at least ${min} and at most ${max}`, start);
    if (min >= MAX_REPEAT || (max !== Infinity && max >= MAX_REPEAT)) {
      this.cursor.fail(`the count in ${braces[0]} is too large`, start);
    }
    return { min, max };
  }

  #repeat(
    body: PatternNode | undefined,
    { min, max, offset }: { min: number; max: number; offset: number },
  ): PatternNode {
    if (body === undefined || body.kind === "edge") {
      return this.cursor.fail("there is nothing to repeat before this quantifier", offset);
    }
    if (body.kind === "repeat") this.cursor.fail("a quantifier follows a quantifier", offset);
    if (this.cursor.take("?")) return { kind: "repeat", body, min, max, mode: "lazy" };
    const mode = this.cursor.take("+") ? "possessive" : "greedy";
    return { kind: "repeat", body, min, max, mode };
  }

  #atom(flags: Flags, depth: number): PatternNode {
    const start = this.cursor.offset;
    const char = this.cursor.next();
    switch (char) {
      case ".":
        return { kind: "any", newline: flags.dotAll };
      case "^":
        return { kind: "edge", edge: flags.multiline ? "line-start" : "text-start", ascii: false };
      case "$":
        return { kind: "edge", edge: flags.multiline ? "line-end" : "last-line-end", ascii: false };
      case "[":
        return readSet(this.cursor, flags);
      case "(":
        return this.#group({ flags, depth, start });
      case "\\":
        return this.#escape(flags, start);
      default:
        return { kind: "literal", code: char.codePointAt(0) ?? 0, fold: foldOf(flags) };
    }
  }

  #escape(flags: Flags, start: number): PatternNode {
    const escape = readEscape(this.cursor, flags);
    switch (escape.kind) {
      case "category":
        return { kind: "set", negated: false, members: [escape], fold: "exact" };
      case "literal":
        return { ...escape, fold: foldOf(flags) };
      case "backreference":
        return this.#reference(escape.group, flags, start);
      default:
        return escape;
    }
  }

  #reference(group: number, flags: Flags, offset: number): PatternNode {
    const problem = this.#groups.problemWith(group);
    if (problem !== null) this.cursor.fail(problem, offset);
    return { kind: "backreference", group, fold: foldOf(flags) };
  }

  #group({ flags, depth, start }: { flags: Flags; depth: number; start: number }): PatternNode {
    const { cursor } = this;
    const inside = { flags, depth, start };
    if (!cursor.take("?")) return this.#capture(null, inside);
    if (cursor.take(":")) return { kind: "group", number: null, body: this.#body(inside) };
    if (cursor.take(">")) return { kind: "atomic", body: this.#body(inside) };
    if (cursor.take("P=")) {
      const name = this.#name(")");
      const group = this.#groups.numberOf(name);
      if (group === null) return cursor.fail(`there is no group named ${JSON.stringify(name)}`, start);
      return this.#reference(group, flags, start);
    }
    if (cursor.take("P<")) return this.#capture(this.#name(">"), inside);
    const look = cursor.match(/(<?)([=!])/y);
    if (look !== null) return this.#look({ behind: look[1] !== "", negated: look[2] === "!" }, inside);
    if (cursor.take("#")) cursor.fail("a comment is never closed", start);
    if (cursor.take("(")) return this.#conditional(inside);
    if (cursor.take("P")) cursor.fail("after (?P comes < or =", start);
    if (cursor.take("<")) cursor.fail("a named group is written (?P<name>...)", start);
    const scoped = readScopedFlags(cursor, flags, start);
    return { kind: "group", number: null, body: this.#body({ ...inside, flags: scoped }) };
  }

  /** `(?(1)yes|no)` or `(?(name)yes|no)`; the group may come later in the pattern. */
  #conditional({ flags, depth, start }: { flags: Flags; depth: number; start: number }): PatternNode {
    const { cursor } = this;
    const written = cursor.match(/[^)]*/y)?.[0] ?? "";
    if (!cursor.take(")")) cursor.fail("a ( is never closed", start);
    const isNumber = /^\d+$/.test(written);
    const group = isNumber ? Number(written) : this.#groups.numberOf(written);
    if (group === null) return cursor.fail(`there is no group named ${JSON.stringify(written)}`, start);
    if (group === 0) cursor.fail("there is no group 0", start);
    const problem = this.#groups.problemInLookbehind(group);
    if (problem !== null) cursor.fail(problem, start);
    this.#asked.push({ group, offset: start });
    const yes = this.#sequence(flags, depth + 1);
    const no = cursor.take("|") ? this.#sequence(flags, depth + 1) : NOTHING;
    if (cursor.peek() === "|") cursor.fail("a conditional group has at most two branches", start);
    if (!cursor.take(")")) cursor.fail("a ( is never closed", start);
    return { kind: "conditional", group, yes, no };
  }

  /** Every group that a condition asks for must be somewhere in the pattern. */
  checkConditions(): void {
    const missing = this.#asked.find(({ group }) => group > this.#groups.count);
    if (missing !== undefined) this.cursor.fail(`there is no group ${missing.group}`, missing.offset);
  }

  #capture(name: string | null, inside: { flags: Flags; depth: number; start: number }): PatternNode {
    if (name !== null && this.#groups.numberOf(name) !== null) {
      this.cursor.fail(`two groups are named ${JSON.stringify(name)}`, inside.start);
    }
    const number = this.#groups.open(name);
    const body = this.#body(inside);
    this.#groups.close(number);
    return { kind: "group", number, body };
  }

  #look(
    look: { behind: boolean; negated: boolean },
    inside: { flags: Flags; depth: number; start: number },
  ): PatternNode {
    const leave = look.behind ? this.#groups.enterLookbehind() : null;
    const body = this.#body(inside);
    leave?.();
    return { kind: "look", ...look, body };
  }

  #body({ flags, depth, start }: { flags: Flags; depth: number; start: number }): PatternNode {
    const body = this.choice(flags, depth + 1);
    if (!this.cursor.take(")")) this.cursor.fail("a ( is never closed", start);
    return body;
  }

  #name(end: string): string {
    const start = this.cursor.offset;
    const name = this.cursor.match(/[\p{ID_Start}_][\p{ID_Continue}]*/uy)?.[0];
    if (name === undefined || !this.cursor.take(end)) {
      return this.cursor.fail("a group name is a letter or _, then letters, digits and _", start);
    }
    return name;
  }
}

const NOTHING: PatternNode = { kind: "sequence", parts: [] };

const MAX_REPEAT = 0xffffffff;
