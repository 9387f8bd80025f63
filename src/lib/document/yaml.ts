import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type Scalar,
} from "yaml";

import { MAX_DEPTH, refusedKey } from "./json.ts";
import type { DocEntry, DocNode, DocProblem, Parsed, PlainValue, Span } from "./node.ts";

/** One YAML 1.2 document with positions. Aliases are expanded within a bound; timestamps keep their spelling. */
export function parseYaml(text: string): Parsed {
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== null) return refuse(tooDeep, "too-deep", `nested more than ${MAX_DEPTH} levels deep`);
  const documents = parseAllDocuments(text, {
    lineCounter: new LineCounter(),
    strict: true,
    uniqueKeys: true,
    stringKeys: true,
    prettyErrors: false,
    customTags: ["timestamp"],
  });
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (document === undefined) return refuse(0, "empty", "the file is empty");
  const problems: DocProblem[] = document.errors.map((error) => ({
    offset: error.pos[0],
    code: error.code === "DUPLICATE_KEY" ? "duplicate-key" : "syntax",
    message: sentence(error.message),
  }));
  if (second !== undefined) {
    problems.push({
      offset: second.range[0],
      code: "several-documents",
      message: "the file holds more than one YAML document",
    });
  }
  if (problems.length > 0) return { ok: false, problems };
  if (document.contents === null) return refuse(0, "empty", "the file is empty");
  const reader = new Reader();
  const root = reader.read(document.contents);
  return reader.problems.length > 0 ? { ok: false, problems: reader.problems } : { ok: true, root };
}

/** Expanding aliases past this many nodes is an attack or a mistake. */
const MAX_NODES = 200_000;

class Reader {
  readonly problems: DocProblem[] = [];
  #nodes = 0;
  readonly #anchors = new Map<string, Node>();

  read(node: Node | null, depth = 0): DocNode {
    const span = spanOf(node);
    this.#nodes++;
    if (this.#nodes > MAX_NODES || depth > MAX_DEPTH) {
      if (this.problems.length === 0) {
        const message =
          depth > MAX_DEPTH
            ? `nested more than ${MAX_DEPTH} levels deep`
            : "its aliases expand to more values than a file may hold";
        this.problems.push({ ...at(span), code: depth > MAX_DEPTH ? "too-deep" : "alias-bomb", message });
      }
      return { ...span, kind: "null" };
    }
    if (isAlias(node)) return { ...this.read(this.#anchors.get(node.source) ?? null, depth + 1), ...span };
    if (node?.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isMap(node)) return { ...span, kind: "object", entries: this.#entries(node.items, depth) };
    if (isSeq(node)) {
      return {
        ...span,
        kind: "array",
        elements: node.items.map((child) => this.read(child as Node | null, depth + 1)),
      };
    }
    return isScalar(node) ? readScalar(node, span) : { ...span, kind: "null" };
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
}

function readScalar(node: Scalar, span: Span): DocNode {
  const value = node.value as PlainValue | bigint | Date;
  if (value instanceof Date) return { ...span, kind: "timestamp", value: node.source ?? value.toISOString() };
  switch (typeof value) {
    case "string":
      return { ...span, kind: "string", value };
    case "boolean":
      return { ...span, kind: "bool", value };
    case "bigint":
      return { ...span, kind: "int", value: Number(value) };
    case "number":
      return { ...span, kind: /^[-+]?\d+$|^0[xo]/.test(node.source ?? "") ? "int" : "float", value };
    default:
      return { ...span, kind: "null" };
  }
}

/** Flow and indentation depth, counted before the recursive parser sees the text. */
function firstTooDeep(text: string): number | null {
  let flow = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x7b || char === 0x5b) flow++;
    else if (char === 0x7d || char === 0x5d) flow = Math.max(0, flow - 1);
    else if (char === 0x0a && flow <= MAX_DEPTH) continue;
    if (flow > MAX_DEPTH * 5) return i;
  }
  const dashes = /^(?:[ \t]*[-?:][ \t]){200}/m.exec(text);
  return dashes === null ? null : dashes.index;
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
