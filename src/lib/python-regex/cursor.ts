import { PatternError } from "./pattern.ts";

/** A place in a pattern that moves forward by whole characters. */
export class Cursor {
  readonly text: string;
  offset = 0;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.offset >= this.text.length;
  }

  /** The next character, or the empty string at the end. */
  peek(): string {
    const code = this.text.codePointAt(this.offset);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  next(): string {
    const char = this.peek();
    this.offset += char.length;
    return char;
  }

  /** Moves past `expected` when it comes next. */
  take(expected: string): boolean {
    if (!this.text.startsWith(expected, this.offset)) return false;
    this.offset += expected.length;
    return true;
  }

  /** Takes what the sticky expression matches here; null when it does not. */
  match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.offset;
    const found = sticky.exec(this.text);
    if (found !== null) this.offset += found[0].length;
    return found;
  }

  fail(message: string, offset = this.offset): never {
    throw new PatternError(message, offset);
  }
}
