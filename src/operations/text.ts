/** How Assay shows numbers and texts of others; doors share it, so that a figure reads the same everywhere. */
export { nearest } from "../lib/nearest.ts";
export { type Paint, painter } from "../lib/paint.ts";
export { plural } from "../lib/plural.ts";
export { printable } from "../lib/printable.ts";
export { shownPath } from "../lib/shown-path.ts";
export { addressedText } from "../domain/grading.ts";
export { clip, padTo, textWidth, wrap } from "../lib/text-width.ts";
export { shellWord } from "../report/next-step.ts";
export { limitText } from "../report/limit-text.ts";
export { remarksOf, remarkText } from "../report/remarks.ts";
export { type Look, PLAIN } from "../report/page.ts";
export { boundText } from "../report/bounds.ts";
export {
  aboutMoney,
  checkText,
  evidenceText,
  money,
  trespassText,
  outcomeText,
  percent,
  rateText,
  replayText,
  secondsText,
  thousands,
  usageText,
  verdictText,
} from "../report/text.ts";
export { confidence, points, pText } from "../stats/words.ts";
