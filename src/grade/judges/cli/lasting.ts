import type { Said } from "../../asking/ask-twice.ts";

/** Programs tell in words alone that a login, an account or a model is refused: whatever else is asked fails alike. */
export function lasting(words: string): Pick<Said & { status: "silent" }, "isLasting"> {
  return REFUSED.some((pattern) => pattern.test(words)) ? { isLasting: true } : {};
}

const REFUSED: readonly RegExp[] = [
  /invalid api key|not logged in|please run \/login|unauthori[sz]ed|authentication_error|\b401\b/i,
  /credit balance|insufficient_quota|exceeded your current quota|billing_/i,
  /\bmodel\b.{0,200}\b(?:not supported|does not exist|may not exist|not found)\b|model_not_found/is,
];
