import { createHash } from "node:crypto";

/**
 * Markers around text that others wrote. They are made from all that is shown, so the same question has the same markers
 * and is answered from memory, and nothing that is shown can know them beforehand.
 */
export interface Fence {
  readonly word: string;
  readonly around: (name: string, text: string) => string;
}

export function fenceFor(shown: readonly string[]): Fence {
  const hash = createHash("sha256");
  for (const text of shown) hash.update(`${text.length}:`).update(text);
  const word = hash.digest("hex").slice(0, 16);
  return {
    word,
    around: (name, text) => `[[${word} begin ${name}]]\n${text}\n[[${word} end ${name}]]`,
  };
}
