/** Newlines as Python's text files have them: CRLF and a lone CR are one newline. */
export function withNewlines(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
}

/** The line that `index` is in; the first is 1. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Does a text that is looked for speak of carriage returns itself? */
export function hasReturn(text: string): boolean {
  return text.includes("\r");
}
