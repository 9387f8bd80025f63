import type { Json } from "../../domain/json.ts";
import { listAt, numberOrNull, objectAt, textAt } from "../../lib/loose.ts";

/**
 * What an analysis.json advises, one line for each suggestion, the weightiest first. Its citations were looked up when it
 * was written; the words are an analyst's and of no authority.
 */
export function adviceOf(analysis: Json): readonly string[] {
  const versions = objectAt(analysis, "versions");
  return listAt(analysis, "improvement_suggestions")
    .toSorted((a, b) => weight(b) - weight(a))
    .map((said) => {
      const skill = objectAt(said, "skill");
      const seen = objectAt(said, "transcript");
      const version = (of: string) => textAt(versions, of);
      const place = `${textAt(skill, "file")}:${numberOrNull(skill, "line") ?? "?"}`;
      return [
        `${textAt(said, "priority")}, ${textAt(said, "category")}: ${textAt(said, "suggestion")}`,
        `  to gain: ${textAt(said, "expected_impact")}`,
        `  concerns ${place} of ${version(textAt(skill, "of"))}: ${JSON.stringify(textAt(skill, "quote"))}`,
        `  seen in a run of ${version(textAt(seen, "of"))}: ${JSON.stringify(textAt(seen, "quote"))}`,
      ].join("\n");
    });
}

function weight(said: unknown): number {
  return ["low", "medium", "high"].indexOf(textAt(said, "priority"));
}
