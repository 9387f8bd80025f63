import { textPieces } from "./text-pieces.ts";

/** How many characters a UTF-8 file has, as Python counts them. */
export async function countCodePoints(path: string): Promise<number> {
  let count = 0;
  for await (const bytes of textPieces(path, 0)) count += codePointsIn(bytes);
  return count;
}

/** Every byte but those that continue a character begins one. */
function codePointsIn(bytes: Buffer): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) if (((bytes[index] ?? 0) & 0xc0) !== 0x80) count++;
  return count;
}
