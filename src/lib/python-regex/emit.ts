import { caseVariants, withCaseVariants } from "./case.ts";
import { type Category, type Edge, PatternError, type PatternNode, type SetMember } from "./pattern.ts";

export interface Emitted {
  readonly source: string;
  /** `v` and `s`, and `i` where a reference must compare without regard to case. */
  readonly flags: string;
}

/** The same pattern for a JavaScript RegExp; throws `PatternError` for what JavaScript has no words for. */
export function emitPattern(node: PatternNode): Emitted {
  const folds = foldsIn(node);
  const ignoreCase = folds.reference;
  if (ignoreCase && folds.exact) {
    throw new PatternError(
      "a reference to a group that ignores case beside parts that do not is not supported",
      0,
    );
  }
  return { source: new Emitter().emit(node), flags: ignoreCase ? "vsi" : "vs" };
}

class Emitter {
  /** JavaScript numbers by Python numbers: emulated atomic groups take numbers too. */
  readonly #numbers = new Map<number, number>();
  #count = 0;
  #behind = false;
  /** Groups that have taken part wherever matching has come this far. */
  #certain = new Set<number>();

  emit(node: PatternNode): string {
    switch (node.kind) {
      case "sequence":
        return node.parts
          .map((part) => (part.kind === "choice" ? this.#wrap(part) : this.emit(part)))
          .join("");
      case "choice":
        return this.#choice(node.branches);
      case "literal":
        return setOrChar(caseVariants(node.code, node.fold));
      case "any":
        return node.newline ? "." : "[^\\n]";
      case "set":
        return setSource(node);
      case "edge":
        return EDGES[node.edge](word(node.ascii));
      case "group":
        return this.#group(node);
      case "atomic":
        return this.#atomic(node.offset, () => this.emit(node.body));
      case "look":
        return this.#look(node);
      case "backreference":
        return this.#backreference(node);
      case "repeat":
        return this.#repeat(node);
    }
  }

  #wrap(node: PatternNode): string {
    return `(?:${this.emit(node)})`;
  }

  #choice(branches: readonly PatternNode[]): string {
    const before = this.#certain;
    const after: Set<number>[] = [];
    const sources = branches.map((branch) => {
      this.#certain = new Set(before);
      const source = this.emit(branch);
      after.push(this.#certain);
      return source;
    });
    this.#certain = new Set(
      [...(after[0] ?? before)].filter((group) => after.every((set) => set.has(group))),
    );
    return sources.join("|");
  }

  #group(node: PatternNode & { kind: "group" }): string {
    if (node.number === null) return this.#wrap(node.body);
    this.#count++;
    this.#numbers.set(node.number, this.#count);
    const body = this.emit(node.body);
    this.#certain.add(node.number);
    return `(${node.name === null ? "" : `?<${node.name}>`}${body})`;
  }

  /** What a lookahead has matched is not tried again; the reference then consumes it. */
  #atomic(offset: number, body: () => string): string {
    if (this.#behind) {
      throw new PatternError(
        "atomic groups and possessive quantifiers in a lookbehind are not supported",
        offset,
      );
    }
    this.#count++;
    const number = this.#count;
    return `(?:(?=(${body()}))\\${number}(?:))`;
  }

  #look(node: PatternNode & { kind: "look" }): string {
    const behind = this.#behind;
    this.#behind = node.behind;
    const body = node.negated ? this.#aside(() => this.emit(node.body)) : this.emit(node.body);
    this.#behind = behind;
    return `(?:(?${node.behind ? "<" : ""}${node.negated ? "!" : "="}${body}))`;
  }

  #backreference(node: PatternNode & { kind: "backreference" }): string {
    if (!this.#certain.has(node.group)) {
      const message = `group ${node.group} may have matched nothing where it is referred to; this is not supported`;
      throw new PatternError(message, node.offset);
    }
    return `(?:\\${this.#numbers.get(node.group) ?? node.group})`;
  }

  #repeat(node: PatternNode & { kind: "repeat" }): string {
    if (node.mode === "possessive") {
      return this.#atomic(node.offset, () => this.#repeat({ ...node, mode: "greedy" }));
    }
    const body = () => (SINGLE.has(node.body.kind) ? this.emit(node.body) : this.#wrap(node.body));
    const source = node.min === 0 ? this.#aside(body) : body();
    return source + quantifier(node.min, node.max) + (node.mode === "lazy" ? "?" : "");
  }

  /** For parts that may be passed over: what takes part in them is not certain afterwards. */
  #aside(body: () => string): string {
    const before = this.#certain;
    this.#certain = new Set(before);
    const source = body();
    this.#certain = before;
    return source;
  }
}

const SINGLE: ReadonlySet<PatternNode["kind"]> = new Set(["literal", "any", "set", "group"]);

const EDGES: Readonly<Record<Edge, (word: string) => string>> = {
  "text-start": () => "^",
  "text-end": () => "$",
  "last-line-end": () => "(?=\\n?$)",
  "line-start": () => "(?<![^\\n])",
  "line-end": () => "(?![^\\n])",
  word: (w) => `(?:(?<=[${w}])(?![${w}])|(?<![${w}])(?=[${w}]))`,
  "not-word": (w) => `(?:(?<=[${w}])(?=[${w}])|(?<![${w}])(?![${w}]))`,
};

function quantifier(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
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

function word(ascii: boolean): string {
  return ascii ? ASCII.word : UNICODE.word;
}

function setOrChar(codes: readonly number[]): string {
  const [only] = codes;
  return codes.length === 1 && only !== undefined ? char(only) : `[${codes.map(char).join("")}]`;
}

function char(code: number): string {
  const text = String.fromCodePoint(code);
  return /[A-Za-z0-9_ ]/.test(text) ? text : `\\u{${code.toString(16)}}`;
}

/** Which ways of comparing letters occur, for the one thing that only the `i` flag can do. */
function foldsIn(node: PatternNode): { reference: boolean; exact: boolean } {
  switch (node.kind) {
    case "backreference":
      return { reference: node.fold !== "exact", exact: node.fold === "exact" };
    case "literal":
      return { reference: false, exact: node.fold === "exact" };
    case "set":
      return { reference: false, exact: node.fold === "exact" && node.members.some(isRange) };
    case "sequence":
      return anyOf(node.parts);
    case "choice":
      return anyOf(node.branches);
    case "any":
    case "edge":
      return { reference: false, exact: false };
    default:
      return foldsIn(node.body);
  }
}

function isRange(member: SetMember): boolean {
  return member.kind === "range";
}

function anyOf(nodes: readonly PatternNode[]): { reference: boolean; exact: boolean } {
  const folds = nodes.map(foldsIn);
  return { reference: folds.some((fold) => fold.reference), exact: folds.some((fold) => fold.exact) };
}
