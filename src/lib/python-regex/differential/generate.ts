/** A pattern and a text to try it on. */
export interface PatternPair {
  readonly pattern: string;
  readonly text: string;
}

/** Pairs that depend on the seed alone: Python's spelling with all it has, on texts that the pieces can match. */
export function generatePairs(seed: number, count: number): readonly PatternPair[] {
  const chance = new Chance(seed);
  return Array.from({ length: count }, () => ({ pattern: pattern(chance), text: text(chance) }));
}

/** Mulberry32. */
class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

const ATOMS =
  "a b c A é ß İ 1 _ \\. \\- \\n . \\d \\w \\s \\D \\W \\S [ab] [^a] [a-c] [^\\w] [\\s\\d] [é-ü] [^\\n] 😀 [😀a] \\u00e9 \\x61 \\N{BULLET} €".split(
    " ",
  );
const EDGES = ["^", "$", "\\b", "\\B", "\\A", "\\Z"];
const QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{,2}", "{1,}?", "*+", "?+", "{0,1}+"];
const FLAGS = ["", "", "", "", "(?m)", "(?i)", "(?s)", "(?a)", "(?im)", "(?x)"];

function pattern(chance: Chance): string {
  const groups = { count: 0 };
  return chance.of(FLAGS) + choice(chance, 3, groups);
}

function choice(chance: Chance, depth: number, groups: { count: number }): string {
  const branches = chance.below(4) === 0 ? 2 : 1;
  return Array.from({ length: branches }, () => sequence(chance, depth, groups)).join("|");
}

function sequence(chance: Chance, depth: number, groups: { count: number }): string {
  const length = chance.below(4);
  return Array.from({ length }, () => piece(chance, depth, groups)).join("");
}

function piece(chance: Chance, depth: number, groups: { count: number }): string {
  const kind = chance.below(14);
  if (kind === 0) return chance.of(EDGES);
  const atom = kind > 8 && depth > 0 ? group(chance, depth - 1, groups) : simple(chance, groups);
  return chance.below(3) === 0 ? atom + chance.of(QUANTIFIERS) : atom;
}

function simple(chance: Chance, groups: { count: number }): string {
  if (groups.count > 0 && chance.below(8) === 0) return `\\${1 + chance.below(groups.count)}`;
  return chance.of(ATOMS);
}

function group(chance: Chance, depth: number, groups: { count: number }): string {
  const kind = chance.below(12);
  if (kind < 4) {
    const inside = choice(chance, depth, groups);
    groups.count++;
    return `(${inside})`;
  }
  if (kind === 4 && groups.count > 0) {
    const number = 1 + chance.below(groups.count);
    return `(?(${number})${sequence(chance, 0, groups)}|${sequence(chance, 0, groups)})`;
  }
  const opening =
    ["(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?-i:", "(?s:"][chance.below(9)] ?? "(?:";
  return `${opening}${choice(chance, depth, groups)})`;
}

const LETTERS = Array.from("aaabbbccAB1_ .-\n\né😀ßİıſK€•\r\u2028\u00a0");

function text(chance: Chance): string {
  return Array.from({ length: chance.below(10) }, () => chance.of(LETTERS)).join("");
}
