import { type DocNode, valueOf } from "../lib/document/node.ts";

/** What kind of file a document seems to be that no format knows; null when nothing about it is telling. */
export function looksLike(root: DocNode): string | null {
  return KINDS.find(([matches]) => matches(root))?.[1] ?? null;
}

/** The document as a person would describe it who sees it for the first time. */
export function outline(root: DocNode): string {
  if (root.kind === "object") {
    return root.entries.length === 0 ? "an empty object" : `an object with the keys ${keysOf(root)}`;
  }
  if (root.kind !== "array") return "a single value";
  const [first] = root.elements;
  if (first === undefined) return "an empty list";
  if (first.kind === "object") return `a list of objects with the keys ${keysOf(first)}`;
  return first.kind === "string" ? "a list of strings" : "a list";
}

const KINDS: readonly (readonly [(root: DocNode) => boolean, string])[] = [
  [(root) => has(root, "score", "graded_at"), "a record of a grade, not a spec"],
  [
    (root) => ["expectations", "assertions", "assertion_results"].some((key) => isList(root, key, "passed")),
    "a grading result of skill-creator",
  ],
  [(root) => has(root, "run_summary"), "a benchmark result of skill-creator"],
  [
    (root) => has(root, "total_tokens") || has(root, "duration_ms") || has(root, "total_tool_calls"),
    "timing or metrics of a run",
  ],
  [(root) => has(root, "winner", "reasoning"), "a comparison result of skill-creator"],
  [
    (root) => has(root, "tests") && (has(root, "prompts") || has(root, "providers")),
    "a promptfoo configuration",
  ],
  [(root) => has(root, "dependencies") || has(root, "devDependencies"), "a package.json"],
  [(root) => has(root, "$schema", "properties"), "a JSON Schema"],
];

function has(node: DocNode, ...keys: readonly string[]): boolean {
  return keys.every((key) => valueOf(node, key) !== undefined);
}

function isListOf(node: DocNode | undefined, key: string): boolean {
  return node?.kind === "array" && node.elements.some((element) => has(element, key));
}

function isList(root: DocNode, key: string, elementKey: string): boolean {
  return isListOf(valueOf(root, key), elementKey);
}

function keysOf(node: DocNode & { kind: "object" }): string {
  const keys = node.entries.map(({ key }) => JSON.stringify(key));
  return keys.length > 6 ? `${keys.slice(0, 5).join(", ")} and ${keys.length - 5} more` : keys.join(", ");
}
