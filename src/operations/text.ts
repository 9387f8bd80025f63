/** How Assay shows numbers and texts of others; doors share it, so that a figure reads the same everywhere. */
export { nearest } from "../lib/nearest.ts";
export { plural } from "../lib/plural.ts";
export { printable } from "../lib/printable.ts";
export { shownPath } from "../lib/shown-path.ts";
export {
  aboutMoney,
  evidenceText,
  money,
  outcomeText,
  percent,
  rateText,
  replayText,
  secondsText,
  signedRate,
  thousands,
  usageText,
  verdictText,
} from "../report/text.ts";
export { signedLikePython as signed } from "../stats/python-format.ts";
