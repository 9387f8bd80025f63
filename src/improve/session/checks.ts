import { escapeRegExp } from "../../lib/escape-reg-exp.ts";
import type { Correction } from "./corrections.ts";

/** A check of code in the words of the `assay` key. */
export type DraftedCheck =
  | { readonly type: "contains" | "not_contains"; readonly needle: string; readonly text: string }
  | { readonly type: "file_exists" | "file_absent"; readonly path: string; readonly text: string }
  | { readonly type: "file_matches"; readonly path: string; readonly pattern: string; readonly text: string };

export interface DraftedChecks {
  readonly checks: readonly DraftedCheck[];
  /** For what only a reader can decide. */
  readonly expectations: readonly string[];
}

/**
 * What must hold so that the user would not have had to speak up. What stands in quotes is looked for by code; where
 * nothing does, a judge reads the words.
 */
export function correctionChecks(
  corrections: readonly Correction[],
  pathOf: (path: string) => string | null,
): DraftedChecks {
  const checks: DraftedCheck[] = [];
  const expectations: string[] = [];
  for (const { text, wrote } of corrections) {
    const files = wrote.flatMap((path) => pathOf(path) ?? []);
    const found = literals(text).flatMap((literal) => checkOf(literal, { files, said: text }) ?? []);
    checks.push(...found);
    if (found.length === 0)
      expectations.push(`Without being told, it already does what the user had to ask for: ${oneLine(text)}`);
  }
  const known = new Set<string>();
  const distinct = checks.filter((check) => {
    const key = JSON.stringify({ ...check, text: "" });
    return known.has(key) ? false : known.add(key);
  });
  return { checks: distinct, expectations: [...new Set(expectations)] };
}

interface Literal {
  readonly value: string;
  readonly isWanted: boolean;
}

/** Only marks that are no apostrophes. */
function literals(text: string): readonly Literal[] {
  return [...text.matchAll(/"([^"\n]{2,120})"|“([^”\n]{2,120})”|`([^`\n]{2,120})`/g)]
    .map((match) => {
      const value = (match[1] ?? match[2] ?? match[3] ?? "").trim();
      const before =
        text
          .slice(0, match.index)
          .split(/[.;!?\n]|, (?!not\b)|\bbut\b|\buse\b/)
          .at(-1) ?? "";
      return { value, isWanted: !NEGATED.test(before) };
    })
    .filter(({ value }) => value.length > 1);
}

const NEGATED =
  /\b(?:not|don'?t|never|no|without|instead of|rather than|stop|avoid|remove|drop|isn'?t|shouldn'?t|mustn'?t)\b[^"“`]*$/i;

function checkOf(
  { value, isWanted }: Literal,
  { files, said }: { files: readonly string[]; said: string },
): DraftedCheck | null {
  const text = `${isWanted ? "wanted" : "not wanted"} by the user: ${oneLine(said)}`;
  const isPath =
    /^[\w./-]+\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(value) && !value.includes("..") && !value.startsWith("/");
  if (isPath)
    return { type: isWanted ? "file_exists" : "file_absent", path: value.replace(/^\.\//, ""), text };
  const [file, another] = files;
  if (file === undefined) return { type: isWanted ? "contains" : "not_contains", needle: value, text };
  if (another !== undefined) return null;
  return {
    type: "file_matches",
    path: file,
    pattern: isWanted ? escapeRegExp(value) : `\\A(?![\\s\\S]*${escapeRegExp(value)})`,
    text,
  };
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 297)}...` : line;
}
