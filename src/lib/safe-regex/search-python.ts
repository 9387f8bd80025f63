import { setImmediate as turn } from "node:timers/promises";
import { SearchStopped } from "../python-regex/matcher.ts";
import type { PythonRegex } from "../python-regex/regex.ts";
import type { FoundMatches, Match } from "./search.ts";

/** Others get a turn after this long. */
const SLICE_MS = 30;
const LONGEST_VALUE = 400;

/** Our own engine needs no thread: it looks at the clock itself. */
export async function searchPython(
  regex: PythonRegex,
  texts: readonly string[],
  { most, deadlineMs }: { readonly most: number; readonly deadlineMs: number },
): Promise<
  ({ readonly status: "searched" } & FoundMatches) | { readonly status: "stopped"; readonly reason: string }
> {
  const matches: Match[] = [];
  let count = 0;
  let used = 0;
  let sliceFrom = performance.now();
  const check = (): void => {
    if (used + performance.now() - sliceFrom > deadlineMs)
      throw new SearchStopped(
        `the pattern took longer than ${Math.round(deadlineMs) / 1000} s and was stopped`,
      );
  };
  try {
    for (const [text, content] of texts.entries()) {
      for (const { index, value } of regex.matches(content, check)) {
        count++;
        if (matches.length < most) matches.push({ text, index, value: value.slice(0, LONGEST_VALUE) });
        if (performance.now() - sliceFrom < SLICE_MS) continue;
        used += performance.now() - sliceFrom;
        await turn();
        sliceFrom = performance.now();
      }
    }
  } catch (error) {
    if (error instanceof SearchStopped) return { status: "stopped", reason: error.message };
    throw error;
  }
  return { status: "searched", count, matches };
}
