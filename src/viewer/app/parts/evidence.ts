import type { Evidence, EvidenceSource } from "../../../domain/verdict.ts";
import { TEXTS } from "../texts.ts";

export function evidenceWords(piece: Evidence): string {
  return piece.kind === "absence" ? TEXTS.absence(piece.searched.map(sourceWords)) : piece.text;
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
