/** Where two texts part, in words for a person: line and column from 1, and what stood there and stands there now. */
export function firstDifference(recorded: string, now: string): string {
  let at = 0;
  while (at < recorded.length && recorded[at] === now[at]) at++;
  const before = recorded.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  return `line ${line}, column ${column}: recorded ${shown(recorded, at)}, now ${shown(now, at)}`;
}

/** The rest of the line, from a little before. */
function shown(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf("\n", at - 1) + 1, at - 20);
  const lineEnd = text.indexOf("\n", at);
  const end = Math.min(lineEnd === -1 ? text.length : lineEnd, at + 60);
  if (start >= text.length) return "(the end)";
  return JSON.stringify(text.slice(start, end));
}
