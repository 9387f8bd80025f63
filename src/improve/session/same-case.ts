import type { Case } from "../../domain/suite.ts";
import { promptText } from "../failing.ts";

/** The case whose prompt has the same words; null: there is none. */
export function sameCase(prompt: readonly string[], cases: readonly Case[]): Case | null {
  const wanted = wordsOf(prompt.join("\n"));
  return (
    cases.find((one) => one.kind === "task" && likeness(wanted, wordsOf(promptText(one))) >= ALIKE) ?? null
  );
}

/** Of all words of both, the share that both have. */
const ALIKE = 0.85;

function likeness(one: ReadonlySet<string>, two: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => two.has(word)).length;
  const all = one.size + two.size - shared;
  return all === 0 ? 0 : shared / all;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .toLowerCase()
      .replaceAll(/evals\/files\//g, "")
      .match(/[\p{L}\p{N}._-]+/gu) ?? [],
  );
}
