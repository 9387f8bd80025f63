/**
 * Text from elsewhere made inert for a terminal, and for a CI service that reads along: nothing in it moves the cursor,
 * colors, hides, reorders or gives a command such as `::error::` or `##[error]`.
 */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Control characters but tab and line break, zero-width and bidirectional marks, the `::` that begins a line, and `##[` or
 * `##vso[` anywhere: CI services take those for commands.
 */
const UNSAFE =
  /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069](?<![\t\n])|:(?=:)(?<=^\s*:)|#(?=#(?:[vV][sS][oO])?\[)/gmu;
