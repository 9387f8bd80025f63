import { caseVariants, withCaseVariants } from "./case.ts";
import type { Category, PatternNode } from "./pattern.ts";

/** What stands for exactly one character. */
export type SingleNode = PatternNode & { readonly kind: "literal" | "any" | "set" };

export function isSingle(node: PatternNode): node is SingleNode {
  return node.kind === "literal" || node.kind === "any" || node.kind === "set";
}

/** Does this character fit? Answers are kept, because a text has few different ones. */
export function singleTest(node: SingleNode): (code: number) => boolean {
  if (node.kind === "any") return node.newline ? () => true : (code) => code !== NEWLINE;
  if (node.kind === "literal") {
    const codes = caseVariants(node.code, node.fold);
    const [only] = codes;
    return codes.length === 1 ? (code) => code === only : (code) => codes.includes(code);
  }
  return kept(setSource(node));
}

/** Python's \w, for word edges. */
export function wordTest(ascii: boolean): (code: number) => boolean {
  return kept(`[${(ascii ? ASCII : UNICODE).word}]`);
}

const NEWLINE = 10;
const LOW = 256;

const tests = new Map<string, (code: number) => boolean>();
const MOST_TESTS = 1000;

/** The same set in many patterns is one test. */
function kept(source: string): (code: number) => boolean {
  const known = tests.get(source);
  if (known !== undefined) return known;
  const test = remembering(new RegExp(`^${source}$`, "v"));
  if (tests.size < MOST_TESTS) tests.set(source, test);
  return test;
}

function remembering(regex: RegExp): (code: number) => boolean {
  const ask = (code: number): boolean => regex.test(String.fromCodePoint(code));
  const low = Uint8Array.from({ length: LOW }, (_, code) => (ask(code) ? 1 : 0));
  const high = new Map<number, boolean>();
  return (code) => {
    if (code < LOW) return low[code] === 1;
    const known = high.get(code);
    if (known !== undefined) return known;
    const answer = ask(code);
    high.set(code, answer);
    return answer;
  };
}

function setSource(node: PatternNode & { kind: "set" }): string {
  const ranges = node.members.filter((member) => member.kind === "range");
  const categories = node.members.filter((member) => member.kind === "category");
  const inside = [
    ...withCaseVariants(ranges, node.fold).map(({ from, to }) =>
      from === to ? char(from) : `${char(from)}-${char(to)}`,
    ),
    ...categories.map(category),
  ];
  return `[${node.negated ? "^" : ""}${inside.join("")}]`;
}

function category(member: Category): string {
  const inside = member.ascii ? ASCII[member.category] : UNICODE[member.category];
  return `[${member.negated ? "^" : ""}${inside}]`;
}

const ASCII = { digit: "0-9", space: " \\t-\\r", word: "a-zA-Z0-9_" } as const;

const UNICODE = {
  digit: "\\p{Nd}",
  space: " \\t-\\r\\x1c-\\x1f\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000",
  word: "\\p{L}\\p{N}_",
} as const;

function char(code: number): string {
  const text = String.fromCodePoint(code);
  return /[A-Za-z0-9_ ]/.test(text) ? text : `\\u{${code.toString(16)}}`;
}
