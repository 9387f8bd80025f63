import { readFile } from "node:fs/promises";
import type { Evidence } from "../../../domain/verdict.ts";
import { compilePython } from "../../../lib/python-regex/compile.ts";
import type { PythonRegex } from "../../../lib/python-regex/regex.ts";
import type { Match } from "../../../lib/safe-regex/search.ts";
import type { SafeRegex } from "../../../lib/safe-regex/safe-regex.ts";
import { lineAt, withNewlines } from "../../../lib/newlines.ts";
import { valueFormat } from "../../../lib/value-formats.ts";
import type { CheckOf } from "../../code-grader.ts";
import { cut, type Decision, failed, measure, passed, unscored } from "../../decision.ts";

export type PatternCheck = CheckOf<"regex" | "min_count" | "has_urls" | "has_entries" | "has_format">;

/** The text is read once, when the first pattern needs it. */
export function openPatterns(
  output: { readonly path: string; readonly bytes: number },
  regex: SafeRegex,
): (check: PatternCheck) => Promise<Decision> {
  let texts: Promise<readonly [string]> | null = null;
  return async (check) => {
    if (output.bytes > MOST_BYTES) {
      return unscored(`the output has ${output.bytes} bytes; patterns are tried on at most ${MOST_BYTES}`);
    }
    const query = queryOf(check);
    if ("problem" in query) return unscored(`the pattern cannot be used: ${query.problem}`);
    texts ??= readFile(output.path, "utf8").then((text) => [withNewlines(text)] as const);
    const read = await texts;
    const searched = await regex.search(query.regex, read, { linear: query.linear ?? false });
    if (searched.status === "stopped") return unscored(searched.reason);
    return decide({ ...query, ...searched, text: read[0] });
  };
}

const MOST_BYTES = 64 * 1024 * 1024;

interface Query {
  readonly regex: RegExp | PythonRegex;
  /** How a person names what is counted. */
  readonly what: string;
  readonly wanted: number;
  /** True for our own expressions that take linear time on any text. */
  readonly linear?: boolean;
}

function queryOf(check: PatternCheck): Query | { readonly problem: string } {
  switch (check.kind) {
    case "regex": {
      const compiled = compilePython(check.pattern);
      if (!compiled.ok) return { problem: compiled.message };
      return { regex: compiled.regex, what: `/${check.pattern}/`, wanted: 1 };
    }
    case "min_count":
      return counted(check.pattern, `/${check.pattern}/`, check.count);
    case "has_urls":
      return { regex: formatRegex("url"), what: "URLs", wanted: check.count, linear: true };
    case "has_entries":
      return {
        regex: new RegExp(NUMBERED_ENTRY, "gu"),
        what: "numbered entries",
        wanted: check.count,
        linear: true,
      };
    case "has_format":
      return valueFormat(check.format) === null
        ? counted(check.format, `/${check.format}/`, check.count)
        : { regex: formatRegex(check.format), what: check.format, wanted: check.count };
  }
}

/** `1.` and `1)` where a line begins, `**1.` anywhere, each before white space or the end of the bold type. */
const NUMBERED_ENTRY = String.raw`(?:(?<![^\n])[ \t]*|\*\*)\p{Nd}+[.)](?=\s|\*\*)`;

function counted(pattern: string, what: string, wanted: number): Query | { readonly problem: string } {
  const compiled = compilePython(pattern, { multiline: true, global: true });
  return compiled.ok ? { regex: compiled.regex, what, wanted } : { problem: compiled.message };
}

function formatRegex(name: string): RegExp {
  return valueFormat(name)?.anywhere ?? /(?!)/g;
}

interface Tally extends Query {
  readonly count: number;
  readonly matches: readonly Match[];
  readonly text: string;
}

function decide({ regex, what, wanted, count, matches, text }: Tally): Decision {
  const quotes = matches.map((match): Evidence => ({
    kind: "quote",
    text: cut(match.value),
    source: { kind: "output", line: lineAt(text, match.index) },
  }));
  const nothing: readonly Evidence[] =
    quotes.length > 0 ? quotes : [{ kind: "absence", searched: [{ kind: "output", line: null }] }];
  if (!regex.global) {
    return count > 0
      ? passed(`the output matches ${what}`, quotes)
      : failed(`nothing in the output matches ${what}`, nothing);
  }
  const found = `${count} found, at least ${wanted} wanted`;
  return (count >= wanted ? passed : failed)(`${what}: ${found}`, [measure(found), ...nothing]);
}
