import { compilePython } from "../compile.ts";
import type { PythonAnswer } from "./ask-python.ts";
import type { PatternPair } from "./generate.ts";

/** A pair on which we and Python differ, and the cause where it is a known one. */
export interface Difference extends PatternPair {
  readonly python: PythonAnswer;
  readonly ours: PythonAnswer;
  readonly cause: string | null;
}

export function differences(
  pairs: readonly PatternPair[],
  answers: readonly PythonAnswer[],
): readonly Difference[] {
  return pairs.flatMap((pair, index) => {
    const python = answers[index] ?? { error: "no answer" };
    const ours = ourAnswer(pair);
    return isSame(ours, python) ? [] : [{ ...pair, python, ours, cause: causeOf(ours, python) }];
  });
}

function ourAnswer({ pattern, text }: PatternPair): PythonAnswer {
  const all = compilePython(pattern, { global: true });
  const full = compilePython(pattern, { full: true });
  if (!all.ok) return { error: all.message };
  return {
    found: [...all.regex.matches(text)].map(({ value }) => value),
    full: full.ok && full.regex.test(text),
  };
}

function isSame(ours: PythonAnswer, python: PythonAnswer): boolean {
  if ("error" in ours || "error" in python) return "error" in ours && "error" in python;
  return (
    ours.full === python.full &&
    ours.found.join("\0") === python.found.join("\0") &&
    ours.found.length === python.found.length
  );
}

/** Differences that are meant, or that come from Python's own mistakes; everything else is a fault of ours. */
function causeOf(ours: PythonAnswer, python: PythonAnswer): string | null {
  if ("error" in python && !("error" in ours))
    return python.error.startsWith("look-behind requires fixed-width pattern")
      ? "a lookbehind of variable width is taken, with a note"
      : null;
  return null;
}
