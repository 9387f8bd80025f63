import { spokenTo } from "./phrases.ts";
import { mayHide, unmasked } from "./unmasked.ts";

/** A stretch of text that speaks to whoever judges it rather than to whoever reads it. */
interface Stretch {
  /** In the text that was looked through. */
  readonly start: number;
  readonly end: number;
}

/** The paragraphs of a text that are addressed to its judge. */
export function addressedIn(text: string): readonly Stretch[] {
  return paragraphsOf(text).filter(({ start, end }) => speaks(text.slice(start, end)));
}

/** For one line, such as a file's name. */
export function isAddressed(text: string): boolean {
  if (speaks(text)) return true;
  const words = text.replaceAll(/[-_.]+/g, " ").replaceAll(VERBS, ". $&");
  return speaks(words);
}

/** In a name nothing shows where a sentence begins. */
const VERBS = /\b(?:pass|mark|approve|treat|ignore|give|score|grade|consider)\b/gi;

function speaks(paragraph: string): boolean {
  if (!MAY_SPEAK.test(paragraph) && !mayHide(paragraph)) return false;
  return unmasked(paragraph).some((form) => MAY_SPEAK.test(form) && spokenTo(form) !== null);
}

/** Without any of these there is nothing to look for; most text has none. */
const MAY_SPEAK =
  /criteri|critère|critéri|kriteri|kryteri|kriter|ölçüt|критер|معيار|المعايير|קריטריו|मानदंड|मापदंड|标准|標準|准则|条件|評|评|基準|項目|기준|항목|조건|tiêu chí|judge|grader|grading|evaluat|assess|examiner|llm|\bai\b|language model|expectation|assertion|rubric|verdict|instruct|anweisung|vorgabe|instruktion|consigne|istruzioni|instrucciones|instruções|instructies|instrukcj|polece|talimat|инструкц|указани|інструкц|вказівк|التعليمات|الأوامر|निर्देश|指令|指示|命令|说明|說明|지시|명령|지침|"passed"|passed|\[\[|evidence|untrusted|<\/\w+>|pass |approve|everything|(?:full|perfect|maximum) (?:mark|score)|alles|tout|todo|tudo|tutto|allt|wszystko|满分|滿分|通过|通過|score/i;

/** Between blank lines; a heading or a line that ends in a colon belongs to what follows. */
function paragraphsOf(text: string): readonly Stretch[] {
  const found: Stretch[] = [];
  let start = 0;
  for (const gap of text.matchAll(/\n[ \t\r]*\n\s*/g)) {
    const before = text.slice(start, gap.index).trimEnd();
    if (/(?:^|\n)(?:#+[^\n]*|[^\n]*[:：])$/.test(before) && gap.index - start < HEADING_CHARS) continue;
    found.push(...bounded(text, start, gap.index));
    start = gap.index + gap[0].length;
  }
  found.push(...bounded(text, start, text.length));
  return found;
}

const HEADING_CHARS = 400;
const MOST_CHARS = 8000;

/** A text without blank lines is looked at in pieces that overlap by none: a line is never cut. */
function bounded(text: string, start: number, end: number): readonly Stretch[] {
  const pieces: Stretch[] = [];
  for (let from = start; from < end;) {
    const line = text.lastIndexOf("\n", from + MOST_CHARS);
    const to = from + MOST_CHARS >= end ? end : line > from ? line : from + MOST_CHARS;
    pieces.push({ start: from, end: to });
    from = to;
  }
  return pieces;
}
