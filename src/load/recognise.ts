import type { FormatName, ImportName, ReadableName } from "../domain/suite.ts";
import type { Importer, SourceDocument } from "./format.ts";

/** How to get each format; nothing is loaded before a file needs it. */
export type Formats = Readonly<
  Record<FormatName, () => Promise<Importer>> & { [N in ImportName]?: () => Promise<Importer> }
>;

/** The format that reads a document; null when none knows it. Content decides, and where it leaves a choice, the place. */
export async function recognise(
  document: SourceDocument,
  expected: ReadableName,
  formats: Formats,
): Promise<Importer | null> {
  let likely: Importer | null = null;
  for (const name of [expected, ...ORDER.filter((other) => other !== expected)]) {
    const format = await formats[name]?.();
    const recognition = format?.recognise(document) ?? null;
    if (format === undefined || recognition === null) continue;
    if (recognition.confidence === "certain") return format;
    likely ??= format;
  }
  return likely;
}

/** Where neither content nor place decides, the most forgiving reader of a shape comes before the stricter. */
const ORDER: readonly ReadableName[] = [
  "clauditor",
  "skill-creator",
  "bmad",
  "skillet",
  "sentry-skillet",
  "claude-plugin",
  "promptfoo",
  "tessl",
];
