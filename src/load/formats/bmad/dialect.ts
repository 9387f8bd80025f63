import { basename } from "node:path";
import { type DocNode, valueOf } from "../../../lib/document/node.ts";
import type { Recognition, SourceDocument } from "../../format.ts";

/** The shapes BMad's own repositories hold; the last two are answered by tools of their own and only named here. */
export type Dialect = "evals" | "triggers" | "cases" | "fragment-selection" | "interview";

/** Which shape a document of the format has; where none fits, the one whose messages help most. */
export function dialectOf({ path, root }: SourceDocument): Dialect {
  if (root.kind === "array") {
    const asksOrEmpty = isTriggersFile(path) || root.elements.some((element) => has(element, "query"));
    return asksOrEmpty && !root.elements.some((element) => has(element, "rubric")) ? "triggers" : "cases";
  }
  const cases = elementsOf(valueOf(root, "cases"));
  if (cases !== null && valueOf(root, "evals") === undefined) {
    return cases.some((element) => has(element, "expect") && has(element, "assertions"))
      ? "fragment-selection"
      : "cases";
  }
  const evals = elementsOf(valueOf(root, "evals")) ?? [];
  return evals.some((element) => has(element, "initial_input", "success_criteria")) ? "interview" : "evals";
}

/** Where `evals.json` lies tells BMad's from skill-creator's, so content alone makes it no more than likely. */
export function recognise(document: SourceDocument): Recognition | null {
  const dialect = dialectOf(document);
  const { path, root } = document;
  switch (dialect) {
    case "triggers": {
      const asks = elementsOf(root)?.some((element) => has(element, "query", "should_trigger")) ?? false;
      return isTriggersFile(path) && asks ? { dialect, confidence: "certain" } : null;
    }
    case "cases": {
      const cases = elementsOf(root) ?? elementsOf(valueOf(root, "cases")) ?? [];
      return cases.some((element) => has(element, "input", "rubric"))
        ? { dialect, confidence: "certain" }
        : null;
    }
    case "evals": {
      const evals = elementsOf(valueOf(root, "evals"));
      const prompts = evals?.length === 0 || (evals?.some((element) => has(element, "prompt")) ?? false);
      return prompts ? { dialect, confidence: "likely" } : null;
    }
    case "fragment-selection":
      return valueOf(root, "workflow") === undefined ? null : { dialect, confidence: "certain" };
    case "interview":
      return { dialect, confidence: "certain" };
  }
}

function isTriggersFile(path: string): boolean {
  return basename(path) === "triggers.json";
}

function elementsOf(node: DocNode | undefined): readonly DocNode[] | null {
  return node?.kind === "array" ? node.elements : null;
}

function has(node: DocNode, ...keys: readonly string[]): boolean {
  return keys.every((key) => valueOf(node, key) !== undefined);
}
