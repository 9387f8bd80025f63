import type { Verdict } from "../../domain/verdict.ts";

/** What an agent is asked when its session is resumed: why these checks failed. */
export function agentQuestion(failed: readonly Verdict[]): string {
  const shown = failed.slice(0, MOST_CHECKS);
  const more = failed.length - shown.length;
  const checks = shown.map(({ text, reason }, index) => `${index + 1}. ${cut(text)} (${cut(reason)})`);
  return `Your work on this is over, and it was checked. These checks failed:
${checks.join("\n")}${more === 0 ? "" : `\n(and ${more} more)`}

Say why, in at most eight sentences: what you did or left undone that made them fail, and what in your instructions, in a skill or in a file led you there; quote the words where you can. If nothing there did, say so. If you think that a check is wrong, say that.
Do not go on with the work and change nothing. You may read files: your inputs and what you made lie in the working directory, which may have another path now; the rest of the project may not be there.`;
}

const MOST_CHECKS = 30;
const MOST_CHARS = 600;

function cut(text: string): string {
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}…`;
}
