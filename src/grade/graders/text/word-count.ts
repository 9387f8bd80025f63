import { createReadStream } from "node:fs";
import { wordBounds } from "../../../domain/checks/word-count.ts";
import { plural } from "../../../lib/plural.ts";
import type { CheckOf } from "../../code-grader.ts";
import { type Decision, failed, measure, passed } from "../../decision.ts";

export async function decideWordCount(check: CheckOf<"word_count">, path: string): Promise<Decision> {
  const words = await countWords(path);
  const holds = words >= (check.min ?? 0) && words <= (check.max ?? Infinity);
  const text = `${plural(words, "word")}, ${wordBounds(check)} wanted`;
  return (holds ? passed : failed)(`the output has ${text}`, [measure(text)]);
}

/** Read in pieces, so the size does not matter; a word may lie across two of them. */
async function countWords(path: string): Promise<number> {
  let words = 0;
  let inWord = false;
  for await (const piece of createReadStream(path, "utf8") as AsyncIterable<string>) {
    const found = piece.match(/\S+/g)?.length ?? 0;
    words += found - (inWord && /^\S/.test(piece) ? 1 : 0);
    inWord = /\S$/.test(piece);
  }
  return words;
}
