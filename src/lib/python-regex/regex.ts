import { Matcher, type MatchSpan } from "./matcher.ts";
import type { PatternProgram } from "./program.ts";

/** A pattern that is searched for as Python does. */
export class PythonRegex {
  /** Count throughout, as `finditer`, rather than look once. */
  readonly global: boolean;
  readonly #full: boolean;
  readonly #program: PatternProgram;

  constructor(program: PatternProgram, { global, full }: { global: boolean; full: boolean }) {
    this.#program = program;
    this.global = global;
    this.#full = full;
  }

  /** Python would refuse it. */
  get isVariableLookbehind(): boolean {
    return this.#program.variableLookbehind;
  }

  test(text: string): boolean {
    return !(this.matches(text).next().done ?? true);
  }

  /** All matches with the `global` option, otherwise at most one. `check` is called again and again, and may throw. */
  *matches(text: string, check: () => void = () => {}): Generator<FoundMatch, void> {
    const codes = codesOf(text);
    const matcher = new Matcher(this.#program, codes, check);
    const toOffset = offsets(text, codes);
    let advance = false;
    for (let start = 0; start <= codes.length;) {
      const found = this.#next(matcher, codes, { start, advance });
      if (found === null) return;
      const index = toOffset(found.start);
      yield { index, value: text.slice(index, toOffset(found.end)) };
      if (!this.global) return;
      advance = found.end === found.start;
      start = found.end;
    }
  }

  #next(
    matcher: Matcher,
    { length }: Codes,
    { start, advance }: { start: number; advance: boolean },
  ): MatchSpan | null {
    if (this.#full) return start === 0 ? matcher.matchAt(0, { whole: true, advance }) : null;
    for (let at = start; at <= length; at++) {
      if (!matcher.mayBegin(at)) continue;
      const found = matcher.matchAt(at, { advance: advance && at === start });
      if (found !== null) return found;
    }
    return null;
  }
}

export interface FoundMatch {
  /** In UTF-16 units. */
  readonly index: number;
  readonly value: string;
}

type Codes = Uint32Array | Uint16Array;

/** One number for each character: Python's texts have no halves of characters. */
function codesOf(text: string): Codes {
  if (!/[\ud800-\udbff]/.test(text)) {
    const codes = new Uint16Array(text.length);
    for (let index = 0; index < text.length; index++) codes[index] = text.charCodeAt(index);
    return codes;
  }
  const codes = new Uint32Array(text.length);
  let count = 0;
  for (let index = 0; index < text.length; count++) {
    const code = text.codePointAt(index) ?? 0;
    codes[count] = code;
    index += code > 0xffff ? 2 : 1;
  }
  return codes.subarray(0, count);
}

/** From characters to UTF-16 units, for places that only ever move forward but for the length of a match. */
function offsets(text: string, codes: Codes): (at: number) => number {
  if (codes.length === text.length) return (at) => at;
  let [known, offset] = [0, 0];
  return (at) => {
    if (at < known) [known, offset] = [0, 0];
    for (; known < at; known++) offset += (codes[known] ?? 0) > 0xffff ? 2 : 1;
    return offset;
  };
}
