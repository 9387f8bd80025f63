/**
 * The words of a command line as a shell would see them, with quotes and backslashes and nothing else: no variables, no
 * patterns, no operators. Null when a quote is left open.
 */
export function shellWords(line: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (char === "'" || char === '"') {
      const end = closing(line, at);
      if (end === -1) return null;
      const inside = line.slice(at + 1, end);
      word = (word ?? "") + (char === "'" ? inside : inside.replaceAll(/\\(["\\$`])/g, "$1"));
      at = end;
    } else if (char === "\\") {
      if (++at === line.length) return null;
      word = (word ?? "") + line.charAt(at);
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  return word === null ? words : [...words, word];
}

function closing(line: string, open: number): number {
  const quote = line.charAt(open);
  for (let at = open + 1; at < line.length; at++) {
    if (line.charAt(at) === quote) return at;
    if (quote === '"' && line.charAt(at) === "\\") at++;
  }
  return -1;
}
