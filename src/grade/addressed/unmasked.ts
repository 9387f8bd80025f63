/** May text be written so that a model reads it and a pattern does not? */
export function mayHide(text: string): boolean {
  return HIDDEN.test(text);
}

const HIDDEN =
  /[\u200b-\u200f\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069\u{e0020}-\u{e007e}\uff01-\uff5e]|[A-Za-z0-9+/]{32,}={0,2}|&#x?[0-9a-f]+;|(?:%[0-9a-f]{2}){4}|(?:\p{L}[ ._-]){6}|\p{Script=Latin}\p{Script=Cyrillic}|\p{Script=Cyrillic}\p{Script=Latin}|pevgrev|vafgehpgvba|noiretirc|airetirc|snoitcurtsni|[a-z][013457@$][a-z]/iu;

/** The ways in which a model may read a paragraph, in lower case and with plain spaces. */
export function unmasked(paragraph: string): readonly string[] {
  const plain = plainly(paragraph);
  if (!mayHide(paragraph)) return [plain];
  const forms = new Set([plain]);
  const add = (form: string): void => void forms.add(plainly(form));
  add(plain.replaceAll(/[аеорсхуіѕјԁ]/g, (letter) => LATIN[letter] ?? letter));
  add(plain.replaceAll(/(?<=\p{L})[013457@$]|[013457@$](?=\p{L})/gu, (digit) => LETTERS[digit] ?? digit));
  if (/(?:\p{L}[ ._-]){6}/u.test(plain)) add(spacedOut(paragraph));
  if (/pevgrev|vafgehpgvba/.test(plain)) add(plain.replaceAll(/[a-z]/g, rotated));
  if (/noiretirc|airetirc|snoitcurtsni/.test(plain)) add(Array.from(plain).toReversed().join(""));
  if (paragraph.includes("&#")) add(entities(paragraph));
  if (paragraph.includes("%")) add(percents(paragraph));
  for (const [run] of paragraph.matchAll(/[A-Za-z0-9+/]{32,}={0,2}/g)) {
    const text = Buffer.from(run, "base64").toString("utf8");
    if (/^[\p{L}\p{N}\p{P}\p{Z}\p{S}\s]+$/u.test(text)) add(text);
  }
  return [...forms];
}

function plainly(text: string): string {
  return text
    .replaceAll(/[\u{e0020}-\u{e007e}]+/gu, (tags) => `\n${Array.from(tags, letterOf).join("")}`)
    .normalize("NFKC")
    .replaceAll(/[\u200b-\u200f\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069]/g, "")
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[*_]{1,3}(?=\p{L})|(?<=\p{L})[*_]{1,3}(?!\p{L})/gu, "")
    .replaceAll(/[ \t\r\f\v\u00a0]+/g, " ")
    .replaceAll(/(?<=[\p{L},]) ?\n ?(?:(?:>|#|\/\/|\*) ?)?(?=\p{Ll})/gu, " ")
    .toLowerCase();
}

/** What an invisible tag character stands for. */
function letterOf(tag: string): string {
  return String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000);
}

/** Letters with a space after each: two spaces part words, or nothing does and words are found by their names. */
function spacedOut(text: string): string {
  const joined = text.replaceAll(
    /(?<![\p{L}])\p{L}(?:[ ._-]\p{L}(?!\p{L})){3,}/gu,
    (letters) => `${letters.replaceAll(/[ ._-]/g, "")} `,
  );
  return joined.replaceAll(
    /(pass|mark|ignore|approve)(every|all)?(previous|prior)?(criterion|criteria|instructions)/gi,
    "$1 $2 $3 $4",
  );
}

const LATIN: Readonly<Record<string, string>> = {
  а: "a",
  е: "e",
  о: "o",
  р: "p",
  с: "c",
  х: "x",
  у: "y",
  і: "i",
  ѕ: "s",
  ј: "j",
  ԁ: "d",
};
const LETTERS: Readonly<Record<string, string>> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  "@": "a",
  $: "s",
};

function rotated(letter: string): string {
  return String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97);
}

function entities(text: string): string {
  return text.replaceAll(/&#(x?)([0-9a-f]+);/gi, (whole, hex: string, digits: string) => {
    const code = Number.parseInt(digits, hex === "" ? 10 : 16);
    return code > 31 && code < 0x110000 ? String.fromCodePoint(code) : whole;
  });
}

function percents(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
  );
}
