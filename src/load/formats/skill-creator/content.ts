import { type DocEntry, type DocNode, valueOf } from "../../../lib/document/node.ts";
import { isLostKey } from "../../losses.ts";
import { hasChecks } from "./checks.ts";
import { find } from "./keys.ts";
import { hasLabel, hasRoute, hasTextLabel, TEXT_NAMES } from "./trigger-entry.ts";

/** What a document holds, judged by its content and not by its name. */
export type FileContent =
  /** `key` is null for a bare list. */
  | { readonly kind: "evals"; readonly key: string | null; readonly list: DocNode }
  | { readonly kind: "triggers"; readonly lists: readonly QueryList[] }
  /** `resembles` names the dialect it is a broken file of, if any. */
  | {
      readonly kind: "refused";
      readonly resembles: Dialect | null;
      readonly offset: number;
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
    };

type Dialect = "evals" | "triggers";

/** A list of queries; where the label is in the list's name, every query has it. */
export interface QueryList {
  readonly key: string | null;
  readonly label: boolean | null;
  readonly list: DocNode;
}

/** Keys that hold a list of labelled queries. `evals` holds evals too. */
const WRAPPERS = ["evals", "cases", "queries", "tests", "test_cases", "evaluations"] as const;

/** Lists whose name is the label. */
const GROUPS: Readonly<Record<string, boolean>> = {
  should_trigger: true,
  should_not_trigger: false,
  shouldTrigger: true,
  shouldNotTrigger: false,
  should_activate: true,
  should_not_activate: false,
  should_fire: true,
  should_not_fire: false,
  positive: true,
  negative: false,
  near_neighbor: false,
  near_neighbors: false,
};

/** Where an eval's prompt may stand, the format's own key first. */
export const PROMPT_NAMES = ["prompt", "query", "question"] as const;

export function contentOf(root: DocNode): FileContent {
  if (root.kind === "array") return ofList(null, root);
  if (root.kind !== "object") {
    return refuse(root, { code: "wrong-type", message: "the file contains neither a list nor an object" });
  }
  const groups = root.entries.filter((entry) => entry.key in GROUPS && entry.value.kind === "array");
  if (groups.length > 0) return ofGroups(groups);
  const wrapper = WRAPPERS.flatMap((name) => find(root, [name]) ?? [])[0];
  return wrapper === undefined ? refuseObject(root) : ofList(wrapper.key, wrapper.value);
}

function ofGroups(groups: readonly DocEntry[]): FileContent {
  const lists = groups.map(({ key, value }) => ({ key, label: GROUPS[key] ?? null, list: value }));
  return { kind: "triggers", lists };
}

function ofList(key: string | null, list: DocNode): FileContent {
  const named = key === null ? "the list" : JSON.stringify(key);
  if (list.kind !== "array") {
    return key === "evals" ? { kind: "evals", key, list } : refuseObject(list, key);
  }
  const entries = list.elements.filter((element) => element.kind === "object");
  const labelled = entries.find(hasLabel);
  const graded = entries.find(hasChecks);
  if (labelled !== undefined && graded !== undefined) {
    return refuse(labelled, {
      resembles: "evals",
      code: "two-formats",
      message: `${named} fits two formats: its entries have labels such as "should_trigger", as trigger queries do, and checks, as evals do`,
      hint: "keep evals and trigger queries in two files",
    });
  }
  if (labelled !== undefined) return { kind: "triggers", lists: [{ key, label: null, list }] };
  if (graded === undefined && areQueries(entries)) {
    return { kind: "triggers", lists: [{ key, label: null, list }] };
  }
  const prompted = entries.some((entry) => find(entry, PROMPT_NAMES) !== null);
  if (key === "evals" || (key === null && prompted)) return { kind: "evals", key, list };
  return refuseList(key, list);
}

/** Queries labelled with a skill's name or in words, or not at all: routed or broken trigger sets. */
function areQueries(entries: readonly DocNode[]): boolean {
  const isEval = (entry: DocNode) => find(entry, ["expected_output", "expected_behavior"]) !== null;
  if (entries.length === 0 || entries.some(isEval)) return false;
  return entries.every((entry) => {
    if (find(entry, TEXT_NAMES) === null) return false;
    const unlabelled = valueOf(entry, "query") !== undefined && valueOf(entry, "prompt") === undefined;
    return unlabelled || hasTextLabel(entry) || hasRoute(entry);
  });
}

function refuseList(key: string | null, list: DocNode): FileContent {
  const elements = list.kind === "array" ? list.elements : [];
  const first = elements.find((element) => element.kind === "object");
  const named = key === null ? "a list" : `a list ${JSON.stringify(key)}`;
  if (elements.length === 0) {
    return refuse(list, { code: "another-format", message: `${named} has no entries` });
  }
  if (first === undefined) {
    return refuse(list, {
      code: "another-format",
      message: `${named} of plain values is neither evals nor labeled queries`,
      hint: 'evals are objects with a "prompt", queries have a "should_trigger"',
    });
  }
  const keys = keysOf(first);
  if (keys.some((name) => ["should", "near", "should_not"].includes(name))) return refuseSkillMap(list);
  return refuse(list, {
    code: "another-format",
    message: `${named} whose entries have ${listed(keys)} is another format: they have no "should_trigger", and skill-creator keeps evals under "evals", each with a "prompt"`,
    ...(keys.includes("prompt") ? { hint: 'if these are evals, call the list "evals"' } : {}),
  });
}

function refuseObject(node: DocNode, key: string | null = null): FileContent {
  const keys = keysOf(node);
  const known = KNOWN_OBJECTS.find(({ needs }) => needs.every((name) => keys.includes(name)));
  if (known !== undefined) {
    return refuse(node, { code: "another-format", message: known.message, hint: known.hint });
  }
  if (isSkillMap(node)) return refuseSkillMap(node);
  const where = key === null ? "the file" : JSON.stringify(key);
  return refuse(node, {
    code: "another-format",
    message: `${where} has neither a list "evals" nor trigger queries: it has ${listed(keys)}`,
    hint: 'evals are {"evals": [{"prompt": ..., "expectations": [...]}]}, queries [{"query": ..., "should_trigger": ...}]',
  });
}

const KNOWN_OBJECTS: readonly { needs: readonly string[]; message: string; hint: string }[] = [
  {
    needs: ["query_results"],
    message: "these are the results of a trigger run, not a trigger set",
    hint: "point at the set the run was made from",
  },
  {
    needs: ["eval_id", "prompt"],
    message: "this is the metadata of one eval in a result folder, not an eval file",
    hint: "point at the skill's evals/evals.json",
  },
  {
    needs: ["run_summary"],
    message: "this is a benchmark's result, not an eval file",
    hint: "point at the skill's evals/evals.json",
  },
  {
    needs: ["expectations", "summary"],
    message: "this is a grading result, not an eval file",
    hint: "point at the skill's evals/evals.json",
  },
  {
    needs: ["prompt"],
    message: "this is a single eval, not a file of evals",
    hint: 'write {"evals": [ ... ]} around it',
  },
];

/** `{skills: {name: {...}}}`, or names at the top with a trigger set each. */
function isSkillMap(node: DocNode): boolean {
  const skills = valueOf(node, "skills");
  if (skills?.kind === "object") return true;
  const values = node.kind === "object" ? node.entries.filter(({ key }) => isLostKey(key)) : [];
  const setKeys = new Set([...Object.keys(GROUPS), "should", "should_not", "near", "cases"]);
  return values.length > 0 && values.every((entry) => keysOf(entry.value).some((name) => setKeys.has(name)));
}

function refuseSkillMap(node: DocNode): FileContent {
  return refuse(node, {
    code: "several-skills",
    message: "this is a map of several skills, each with its own queries; a trigger set is about one skill",
    hint: "give each skill its own file",
  });
}

function refuse(
  node: DocNode,
  problem: { code: string; message: string; hint?: string; resembles?: Dialect },
): FileContent {
  return { kind: "refused", resembles: null, offset: node.start, ...problem };
}

function keysOf(node: DocNode): readonly string[] {
  return node.kind === "object" ? node.entries.map((entry) => entry.key) : [];
}

function listed(keys: readonly string[]): string {
  const shown = keys.slice(0, 6).map((key) => JSON.stringify(key));
  if (keys.length > 6) shown.push("...");
  return shown.length === 0 ? "no keys" : shown.join(", ");
}
