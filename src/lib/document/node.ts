/** A parsed value that still knows where it stands, so that every message can point at its place. */
export type DocNode = Span &
  (
    | { readonly kind: "object"; readonly entries: readonly DocEntry[] }
    | { readonly kind: "array"; readonly elements: readonly DocNode[] }
    | { readonly kind: "string"; readonly value: string }
    /** Written without fraction or exponent: `2`, not `2.0` or `2e0`. */
    | { readonly kind: "int"; readonly value: number }
    | { readonly kind: "float"; readonly value: number }
    | { readonly kind: "bool"; readonly value: boolean }
    | { readonly kind: "null" }
    /** A YAML timestamp, as written. */
    | { readonly kind: "timestamp"; readonly value: string }
  );

/** Offsets into the text, in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface DocEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: DocNode;
}

/** What went wrong at one place of a text. */
export interface DocProblem {
  readonly offset: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** Either the tree or every problem that kept it from being one. */
export type Parsed =
  | { readonly ok: true; readonly root: DocNode }
  | { readonly ok: false; readonly problems: readonly DocProblem[] };

export type PlainValue =
  | null
  | boolean
  | number
  | string
  | readonly PlainValue[]
  | { readonly [key: string]: PlainValue };

export function toPlain(node: DocNode): PlainValue {
  switch (node.kind) {
    case "object":
      return Object.fromEntries(node.entries.map((entry) => [entry.key, toPlain(entry.value)]));
    case "array":
      return node.elements.map(toPlain);
    case "null":
      return null;
    default:
      return node.value;
  }
}

export function entryOf(node: DocNode, key: string): DocEntry | undefined {
  return node.kind === "object" ? node.entries.find((entry) => entry.key === key) : undefined;
}

export function valueOf(node: DocNode, key: string): DocNode | undefined {
  return entryOf(node, key)?.value;
}

/** How a value is called in a message: `the string "3"`, `an object`, `null`. */
export function describe(node: DocNode): string {
  switch (node.kind) {
    case "object":
      return "an object";
    case "array":
      return "a list";
    case "null":
      return "null";
    case "string":
      return `the string ${JSON.stringify(node.value.length > 40 ? `${node.value.slice(0, 37)}...` : node.value)}`;
    case "int":
      return `the number ${node.value}`;
    case "float":
      return Number.isInteger(node.value) ? `the float ${node.value.toFixed(1)}` : `the number ${node.value}`;
    case "timestamp":
      return `the timestamp ${node.value}`;
    case "bool":
      return String(node.value);
  }
}
