/** Text from elsewhere made inert for a terminal: nothing in it moves the cursor, colours, hides or reorders. */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Control characters but tab and line break, zero-width and bidirectional marks. */
const UNSAFE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069](?<![\t\n])/gu;
