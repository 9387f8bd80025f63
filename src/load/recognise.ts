import type { FormatName } from "../domain/suite.ts";
import type { Format, SourceDocument } from "./format.ts";

/** How to get each format; nothing is loaded before a file needs it. */
export type Formats = Readonly<Record<FormatName, () => Promise<Format>>>;

/** The format that reads a document; null when none knows it. Content decides, and where it leaves a choice, the place. */
export async function recognise(
  document: SourceDocument,
  expected: FormatName,
  formats: Formats,
): Promise<Format | null> {
  let likely: Format | null = null;
  for (const name of [expected, ...ORDER.filter((other) => other !== expected)]) {
    const format = await formats[name]();
    const recognition = format.recognise(document);
    if (recognition?.confidence === "certain") return format;
    if (recognition !== null) likely ??= format;
  }
  return likely;
}

/** Where neither content nor place decides, the most forgiving reader of a shape comes before the stricter. */
const ORDER: readonly FormatName[] = ["clauditor", "skill-creator", "bmad", "skillet"];
