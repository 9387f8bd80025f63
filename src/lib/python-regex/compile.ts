import { emitPattern } from "./emit.ts";
import { parsePattern } from "./parse.ts";
import { PatternError } from "./pattern.ts";

export type Compiled =
  | { readonly ok: true; readonly regex: RegExp }
  /** `offset` is where in the pattern, in UTF-16 units. */
  | { readonly ok: false; readonly message: string; readonly offset: number };

export interface CompileOptions {
  /** `^` and `$` match at lines, as with Python's MULTILINE. */
  readonly multiline?: boolean;
  /** The whole text must match, as with `fullmatch`. */
  readonly full?: boolean;
  /** For `matchAll`: the expression gets the `g` flag. */
  readonly global?: boolean;
}

/**
 * A RegExp that means what the pattern means to Python's `re`. Never throws.
 *
 * Not supported, each with a message of its own: conditional groups, `\N{...}`, references to a group that may
 * not have taken part, case-insensitive references beside case-sensitive parts, atomic parts in a lookbehind.
 * Variable-width lookbehind, which Python refuses, is accepted. One difference is left: a repetition never goes
 * once more round for nothing, and after an empty match `matchAll` moves on where Python first tries a longer one.
 */
export function compilePython(pattern: string, options: CompileOptions = {}): Compiled {
  const { multiline = false, full = false, global = false } = options;
  const flags = { ignoreCase: false, multiline, dotAll: false, verbose: false, ascii: false };
  try {
    const emitted = emitPattern(parsePattern(pattern, flags));
    const source = full ? `^(?:${emitted.source})$` : emitted.source;
    const regex = new RegExp(source, emitted.flags + (global ? "g" : ""));
    compileNow(regex);
    return { ok: true, regex };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, message: error.message, offset: error.offset };
    return { ok: false, message: `the pattern is too large: ${(error as Error).message}`, offset: 0 };
  }
}

/** The engine compiles on first use, and only then says that an expression is too large. */
function compileNow(regex: RegExp): void {
  regex.test("");
  regex.lastIndex = 0;
}
