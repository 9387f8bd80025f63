import { parsePattern } from "./parse.ts";
import { PatternError } from "./pattern.ts";
import { toProgram } from "./program.ts";
import { PythonRegex } from "./regex.ts";

export type Compiled =
  | { readonly ok: true; readonly regex: PythonRegex }
  /** `offset` is where in the pattern, in UTF-16 units. */
  | { readonly ok: false; readonly message: string; readonly offset: number };

export interface CompileOptions {
  /** `^` and `$` match at lines, as with Python's MULTILINE. */
  readonly multiline?: boolean;
  /** The whole text must match, as with `fullmatch`. */
  readonly full?: boolean;
  /** All matches are wanted, as with `finditer`. */
  readonly global?: boolean;
}

/**
 * What the pattern means to Python's `re`. Never throws. A lookbehind of variable width, which Python rejects, is taken.
 * Refused although Python takes it: `\N{...}` with a name that is not in our list, and a pattern of more than 200,000
 * steps when its counts are spelled out.
 */
export function compilePython(pattern: string, options: CompileOptions = {}): Compiled {
  const { multiline = false, full = false, global = false } = options;
  const flags = { ignoreCase: false, multiline, dotAll: false, verbose: false, ascii: false };
  try {
    const program = toProgram(parsePattern(pattern, flags));
    return { ok: true, regex: new PythonRegex(program, { global, full }) };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, message: error.message, offset: error.offset };
    return { ok: false, message: `the pattern is too large: ${(error as Error).message}`, offset: 0 };
  }
}
