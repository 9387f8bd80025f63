import type { Evidence, EvidenceSource } from "../../../domain/verdict.ts";
import { TEXTS } from "../texts.ts";

export function evidenceWords(piece: Evidence): string {
  return piece.kind === "absence" ? TEXTS.absence(placesWords(piece.searched)) : piece.text;
}

/** Steps that follow each other are told as one. */
function placesWords(sources: readonly EvidenceSource[]): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < sources.length; at++) {
    const source = sources[at] as EvidenceSource;
    const first = at;
    while (source.kind === "event" && isStep(sources[at + 1], source.index + at + 1 - first)) at++;
    words.push(
      source.kind === "event" && at > first
        ? TEXTS.sources.steps(source.index, source.index + at - first)
        : sourceWords(source),
    );
  }
  return words;
}

function isStep(source: EvidenceSource | undefined, index: number): boolean {
  return source?.kind === "event" && source.index === index;
}

/** Where a piece of evidence lies, in words. */
export function sourceWords(source: EvidenceSource): string {
  switch (source.kind) {
    case "output":
      return source.line === null ? TEXTS.sources.answer : TEXTS.sources.answerLine(source.line);
    case "event":
      return TEXTS.sources.step(source.index);
    case "file":
      return source.line === null ? source.path : TEXTS.sources.fileLine(source.path, source.line);
  }
}
