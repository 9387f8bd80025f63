import { createHash, randomBytes } from "node:crypto";

/** A word for the markers of one question: chance makes it, so nobody who wrote what stands between them can have known it. */
export function newNonce(): string {
  return randomBytes(6).toString("hex");
}

/** A word that cannot stand in the evidence either, to be asked for in vain. */
export function unlikelyWord(nonce: string): string {
  const digest = createHash("sha256").update(`word ${nonce}`).digest();
  return Array.from({ length: 5 }, (_, i) => "bdfgklmnprstvz"[(digest[i] ?? 0) % 14] ?? "").reduce(
    (word, letter, i) => `${word}${letter}${"aeiou"[(digest[i + 5] ?? 0) % 5] ?? ""}`,
    "",
  );
}

/** What chance chose in the wording of a question; two that differ in nothing else are the same question. */
export function chosenByChance(nonce: string): readonly string[] {
  return [nonce, unlikelyWord(nonce)];
}

/** The wording of a question but for what chance chose in it. */
export function withoutChance(text: string, chance: readonly string[]): string {
  return chance.reduce((left, word, index) => left.replaceAll(word, `<${index}>`), text);
}

/** The nonces by which a text tells what stands between its markers. */
export function noncesIn(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(ANNOUNCED), ([, nonce]) => nonce ?? ""))];
}

const ANNOUNCED = /between \[\[([0-9a-f]{12}) begin\]\] and \[\[\1 end\]\]/g;
