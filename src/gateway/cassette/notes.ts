/** Reminders, surroundings and news that clients put between the user's words and into results. */
const NOTES = [
  "system-reminder",
  "environment_context",
  "task-notification",
  "permissions instructions",
  "total_tokens",
];

const OPENING = new RegExp(`<(${NOTES.join("|")})>`, "g");

/** The text without them, in time that grows with its length alone: tools print what they like. */
export function withoutNotes(text: string): string {
  const unclosed = new Set<string>();
  let kept = "";
  let done = 0;
  for (const { index, 0: opening, 1: name = "" } of text.matchAll(OPENING)) {
    if (index < done || unclosed.has(name)) continue;
    const closing = `</${name}>`;
    const end = text.indexOf(closing, index + opening.length);
    if (end === -1) unclosed.add(name);
    else {
      kept += text.slice(done, index);
      done = end + closing.length;
    }
  }
  // The one note that is not always closed.
  return (kept + text.slice(done)).replaceAll(/<total_tokens>[^\n]*/g, "");
}
