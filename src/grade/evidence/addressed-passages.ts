import type { AddressedPassage } from "../../domain/grading.ts";
import { isAddressed } from "../addressed/addressed.ts";
import type { Subject } from "../subject.ts";
import type { Block } from "./block.ts";
import { sifted } from "./honest.ts";

/** What of the run speaks to the judge; what its author asks of the agent does not. */
export function addressedPassages(blocks: readonly Block[]): readonly AddressedPassage[] {
  return blocks.flatMap(({ exhibit: { source, given, title }, excerpt }) =>
    given && source.kind === "event"
      ? []
      : (excerpt?.passages ?? [])
          .flatMap((passage) => sifted(passage).addressed)
          .map(({ text, line }) => ({
            source: "line" in source ? { ...source, line } : source,
            place: title,
            text: shortened(text),
          })),
  );
}

/** Names of tools and files can speak too. */
export function addressedNames(
  { files }: Pick<Subject, "files">,
  tools: ReadonlyMap<string, number>,
): readonly AddressedPassage[] {
  const found = (source: AddressedPassage["source"], place: string, text: string) =>
    isAddressed(text) ? [{ source, place, text: shortened(text) }] : [];
  return [
    ...[...tools.keys()].flatMap((tool) => found(null, "the name of a tool", tool)),
    ...files.flatMap(({ path }) => found({ kind: "file", path, line: null }, "the name of a file", path)),
  ];
}

const MOST_CHARS = 240;

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= MOST_CHARS ? line : `${line.slice(0, MOST_CHARS)}…`;
}
