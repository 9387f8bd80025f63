import { basename } from "node:path";
import { type DocNode, valueOf } from "../../../lib/document/node.ts";
import type { Format, Recognition, SourceDocument } from "../../format.ts";
import { ASSERTION_TYPES } from "./assertion-shape.ts";
import { DIALECT, loadSpec } from "./load.ts";
import { SPEC } from "./spec-shape.ts";
import { writeSpec } from "./write.ts";

/** clauditor: one JSON file, one task for a skill and its trigger queries. */
export const clauditor: Format = {
  name: "clauditor",
  recognise,
  load: loadSpec,
  write: writeSpec,
  schemas: { [DIALECT]: SPEC.schema },
};

/** The name of the file only decides where its content leaves it open. */
function recognise({ path, root }: SourceDocument): Recognition | null {
  if (root.kind !== "object" || FOREIGN_KEYS.some((key) => valueOf(root, key) !== undefined)) return null;
  if (TELLING.some(({ key, tells }) => tellsAt(root, key, tells))) {
    return { dialect: DIALECT, confidence: "certain" };
  }
  if (!/(?:^|\.)eval\.json$/.test(basename(path))) return null;
  const known = root.entries.some((entry) => entry.key in SPEC_KEYS);
  return known || root.entries.length === 0 ? { dialect: DIALECT, confidence: "likely" } : null;
}

/** Other formats' lists of cases. */
const FOREIGN_KEYS = ["evals", "cases", "prompt", "query", "timestamp"];

const SPEC_KEYS = SPEC.schema["properties"] as Readonly<Record<string, unknown>>;

const TELLING: readonly { key: string; tells: (node: DocNode) => boolean }[] = [
  { key: "test_args", tells: (node) => node.kind === "string" },
  { key: "grading_criteria", tells: (node) => node.kind === "array" },
  {
    key: "trigger_tests",
    tells: (node) =>
      valueOf(node, "should_trigger") !== undefined || valueOf(node, "should_not_trigger") !== undefined,
  },
  { key: "assertions", tells: anElement(isAssertion) },
  {
    key: "sections",
    tells: anElement((node) => valueOf(node, "tiers") !== undefined || valueOf(node, "fields") !== undefined),
  },
  { key: "grade_thresholds", tells: (node) => node.kind === "object" },
  { key: "allow_hang_heuristic", tells: (node) => node.kind === "bool" },
];

function tellsAt(root: DocNode, key: string, tells: (node: DocNode) => boolean): boolean {
  const node = valueOf(root, key);
  return node !== undefined && tells(node);
}

function anElement(tells: (node: DocNode) => boolean): (node: DocNode) => boolean {
  return (node) => node.kind === "array" && node.elements.some(tells);
}

function isAssertion(node: DocNode): boolean {
  const type = valueOf(node, "type");
  return type?.kind === "string" && ASSERTION_TYPES.some((known) => known === type.value);
}
