import { open } from "node:fs/promises";
import { withNewlines } from "./newlines.ts";

/** At least the first `units` UTF-16 units of a UTF-8 file, or all it has; with line ends as they are if `asIs`. */
export async function readStart(path: string, units: number, asIs: boolean): Promise<string> {
  await using file = await open(path);
  // A unit takes at most three bytes, and a line end two for one.
  const bytes = Buffer.alloc(6 * units + 8);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const text = decoder.decode(bytes.subarray(0, bytesRead), { stream: true });
  return asIs ? text : withNewlines(text);
}

/** At least the last `units` UTF-16 units before the white space that ends a UTF-8 file, or all it has; likewise. */
export async function readEnd(path: string, units: number, asIs: boolean): Promise<string> {
  await using file = await open(path);
  const { size } = await file.stat();
  for (let window = 6 * units + 1024; ; window *= 4) {
    const from = Math.max(0, size - window);
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    const whole = wholeCharacters(bytes.subarray(0, bytesRead));
    const text = (asIs ? whole : withNewlines(whole)).trimEnd();
    if (text.length >= units || from === 0) return text;
  }
}

/** Without the rest of a character that begins before. */
function wholeCharacters(bytes: Buffer): string {
  let from = 0;
  while (from < 4 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.subarray(from).toString();
}
