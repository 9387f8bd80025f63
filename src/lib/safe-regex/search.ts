/** A match in one of the texts that were searched. */
export interface Match {
  /** Which of the texts, from 0. */
  readonly text: number;
  /** In UTF-16 units. */
  readonly index: number;
  /** Cut where it is long. */
  readonly value: string;
}

export interface FoundMatches {
  readonly count: number;
  /** The first ones. */
  readonly matches: readonly Match[];
}

/**
 * A regex with the `g` flag is counted throughout; another is looked for once in each text. Its own text is what a worker
 * runs, so it may refer to nothing outside itself.
 */
export function searchTexts(regex: RegExp, texts: readonly string[], most: number): FoundMatches {
  const matches: Match[] = [];
  let count = 0;
  for (let text = 0; text < texts.length; text++) {
    regex.lastIndex = 0;
    const content = texts[text] ?? "";
    if (regex.global) {
      for (const match of content.matchAll(regex)) {
        count++;
        if (matches.length < most) matches.push({ text, index: match.index, value: match[0].slice(0, 400) });
      }
    } else {
      const match = regex.exec(content);
      if (match === null) continue;
      count++;
      if (matches.length < most) matches.push({ text, index: match.index, value: match[0].slice(0, 400) });
    }
  }
  return { count, matches };
}
