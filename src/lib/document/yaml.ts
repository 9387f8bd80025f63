import { isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments, type Scalar } from "yaml";

import { MAX_DEPTH, refusedKey } from "./json.ts";
import type { DocEntry, DocNode, DocProblem, Parsed, Span } from "./node.ts";
import { yamlExcess } from "./yaml-size.ts";

/** One YAML 1.2 document with positions. Aliases are expanded within a bound (yaml-size.ts); timestamps keep their spelling. */
export function parseYaml(text: string): Parsed {
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== null) return refuse(tooDeep, "too-deep", TOO_DEEP);
  const documents = parseAllDocuments(text, {
    strict: true,
    // Looked for by the reader, because the parser compares every key with every other.
    uniqueKeys: false,
    stringKeys: true,
    prettyErrors: false,
    customTags: ["timestamp"],
  });
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (document === undefined) return refuse(0, "empty", "the file is empty");
  const problems: DocProblem[] = withoutEchoes([...document.errors, ...document.warnings]).map((error) => ({
    offset: error.pos[0],
    code: "syntax",
    ...(COLONS.has(error.code) ? COLON : { message: sentence(error.message) }),
  }));
  if (second !== undefined) {
    problems.push({
      offset: second.range[0],
      code: "several-documents",
      message: "the file has more than one YAML document",
    });
  }
  if (problems.length > 0) return { ok: false, problems };
  if (document.contents === null) return refuse(0, "empty", "the file is empty");
  const excess = yamlExcess(document.contents);
  if (excess !== null) return { ok: false, problems: [excess] };
  const reader = new Reader();
  const root = reader.read(document.contents);
  return reader.problems.length > 0 ? { ok: false, problems: reader.problems } : { ok: true, root };
}

/** One colon too many makes the parser speak up to three times. */
function withoutEchoes(problems: readonly YAMLParseIssue[]): readonly YAMLParseIssue[] {
  const [first, ...others] = problems;
  if (first === undefined || !COLONS.has(first.code)) return problems;
  return [first, ...others.filter(({ code }) => !COLONS.has(code))];
}

type YAMLParseIssue = ReturnType<typeof parseAllDocuments>[number]["errors"][number];

const COLONS = new Set<string>(["BLOCK_AS_IMPLICIT_KEY", "MULTILINE_IMPLICIT_KEY"]);

/** By far the most frequent mistake, and the parser has only a term for it. */
const COLON = {
  message: "a text with a colon and a space in it must be quoted",
  hint: 'write it as "Use this: that", or as a block after |',
};

const TOO_DEEP = `nested more than ${MAX_DEPTH} levels deep`;

class Reader {
  readonly problems: DocProblem[] = [];
  readonly #anchors = new Map<string, Node>();

  read(node: Node | null, depth = 0): DocNode {
    const span = spanOf(node);
    if (depth > MAX_DEPTH) {
      if (this.problems.length === 0)
        this.problems.push({ ...at(span), code: "too-deep", message: TOO_DEEP });
      return { ...span, kind: "null" };
    }
    if (isAlias(node)) {
      const anchored = this.#anchors.get(node.source);
      if (anchored !== undefined) return { ...this.read(anchored, depth + 1), ...span };
      const message = `the alias *${node.source} has no anchor before it`;
      this.problems.push({ ...at(span), code: "syntax", message });
      return { ...span, kind: "null" };
    }
    if (node?.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isMap(node)) return { ...span, kind: "object", entries: this.#entries(node.items, depth) };
    if (isSeq(node)) {
      return {
        ...span,
        kind: "array",
        elements: node.items.map((child) => this.read(child as Node | null, depth + 1)),
      };
    }
    return isScalar(node) ? this.#scalar(node, span) : { ...span, kind: "null" };
  }

  #entries(pairs: readonly { key: unknown; value: unknown }[], depth: number): DocEntry[] {
    const seen = new Set<string>();
    return pairs.map((pair) => {
      const keySpan = spanOf(pair.key as Node | null);
      const key = isScalar(pair.key) ? String(pair.key.value) : "";
      const refused = refusedKey(key, seen);
      if (refused !== null) this.problems.push({ ...at(keySpan), ...refused });
      seen.add(key);
      const value = pair.value as Node | null;
      const read = this.read(value, depth + 1);
      return { key, keySpan, value: value === null ? { ...read, ...keySpan } : read };
    });
  }

  #scalar(node: Scalar, span: Span): DocNode {
    const value = node.value;
    if (value instanceof Date) {
      return { ...span, kind: "timestamp", value: node.source ?? value.toISOString() };
    }
    switch (typeof value) {
      case "string":
        return { ...span, kind: "string", value };
      case "boolean":
        return { ...span, kind: "bool", value };
      case "number":
        if (!Number.isFinite(value)) this.#refuse(node, span, "is not a finite number");
        return { ...span, kind: /^[-+]?\d+$|^0[xo]/.test(node.source ?? "") ? "int" : "float", value };
      default:
        if (value !== null) this.#refuse(node, span, "is neither text, number, true, false nor null");
        return { ...span, kind: "null" };
    }
  }

  #refuse(node: Scalar, span: Span, why: string): void {
    const shown = `${node.tag ?? ""} ${(node.source ?? "").slice(0, 40)}`.trim();
    this.problems.push({ ...at(span), code: "unsupported-value", message: `${shown} ${why}` });
  }
}

/** Flow and indentation depth, counted before the recursive parser sees the text. Text in strings counts too, so the bounds are wide. */
function firstTooDeep(text: string): number | null {
  let flow = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x7b || char === 0x5b) flow++;
    else if (char === 0x7d || char === 0x5d) flow = Math.max(0, flow - 1);
    if (flow > MAX_DEPTH * 5) return i;
  }
  const dashes = /^(?:[ \t]*[-?:][ \t]){200}/m.exec(text);
  return dashes === null ? firstIndentedTooDeep(text) : dashes.index;
}

function firstIndentedTooDeep(text: string): number | null {
  const open: number[] = [];
  for (const { index, 0: indentation } of text.matchAll(/^ +(?=\S)/gm)) {
    while ((open.at(-1) ?? 0) >= indentation.length) open.pop();
    open.push(indentation.length);
    if (open.length > MAX_DEPTH * 2) return index;
  }
  return null;
}

function spanOf(node: Node | null | undefined): Span {
  const range = node?.range;
  return range === null || range === undefined ? { start: 0, end: 0 } : { start: range[0], end: range[1] };
}

function at(span: Span): { offset: number } {
  return { offset: span.start };
}

function refuse(offset: number, code: string, message: string): Parsed {
  return { ok: false, problems: [{ offset, code, message }] };
}

function sentence(message: string): string {
  const first = message.split("\n")[0] ?? message;
  return first.charAt(0).toLowerCase() + first.slice(1);
}
