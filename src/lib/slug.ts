/** A name for files from the first words of a text; `otherwise` where it has none in Latin letters or digits. */
export function slugOf(text: string, otherwise: string): string {
  const words = text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^a-z0-9]+/g, " ")
    .trim()
    .split(" ")
    .slice(0, MOST_WORDS);
  return words.join("-").slice(0, MOST_CHARS) || otherwise;
}

const MOST_WORDS = 6;
const MOST_CHARS = 50;
