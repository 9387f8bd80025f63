import type { Evidence } from "../../domain/verdict.ts";
import type { Block } from "./block.ts";

const MOST_NAMED = 12;

/** Texts of which a judge saw only excerpts, with how much of each. */
export function cutBlocks(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap(({ exhibit, excerpt }) => {
    if (excerpt === null || excerpt.whole) return [];
    const shown = excerpt.passages.reduce((sum, { text }) => sum + text.length, 0);
    return [`${exhibit.label} ${exhibit.title} (${shown} of ${excerpt.chars} characters shown)`];
  });
}

/** What stands beside a verdict that was reached without seeing everything; nothing where all was seen. */
export function notShownEvidence(notShown: readonly string[]): readonly Evidence[] {
  if (notShown.length === 0) return [];
  const rest = notShown.length - MOST_NAMED;
  const named = [...notShown.slice(0, MOST_NAMED), ...(rest > 0 ? [`${rest} more`] : [])];
  return [{ kind: "measure", text: `the judge did not see all of: ${named.join("; ")}` }];
}
