import { chosenByChance, noncesIn, withoutChance } from "../../src/lib/nonce.ts";

/** A question as it would be with any other markers: each time it is asked, chance chooses new ones. */
export function sameQuestion(body: string): string {
  return noncesIn(body).reduce((text, nonce) => withoutChance(text, chosenByChance(nonce)), body);
}
