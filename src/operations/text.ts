/** How Assay shows numbers and texts of others; doors share it, so that a figure reads the same everywhere. */
export { plural } from "../lib/plural.ts";
export { printable } from "../lib/printable.ts";
export { shownPath } from "../lib/shown-path.ts";
export { money, percent, thousands } from "../report/text.ts";
export { signedLikePython as signed } from "../stats/python-format.ts";
