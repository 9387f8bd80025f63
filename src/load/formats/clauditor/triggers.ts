import type { Check } from "../../../domain/check.ts";
import { type Case, type CaseSettings, NO_SETTINGS, plainCase } from "../../../domain/suite.ts";
import { valueOf } from "../../../lib/document/node.ts";
import type { SourceDocument } from "../../format.ts";
import type { Spec } from "./spec-shape.ts";

/** One case for each query, in the order of the file. */
export function triggerCases(
  queries: Spec["trigger_tests"],
  settings: Partial<CaseSettings>,
  document: SourceDocument,
): readonly Case[] {
  return LISTS.flatMap(({ key, prefix, expected }) =>
    (queries?.[key] ?? []).map((query, index): Case => {
      const head = plainCase({
        id: `${prefix}-${index + 1}`,
        declaredId: null,
        kind: "trigger",
        format: "clauditor",
        at: document.at(offsetOf(document, key, index)),
        prompt: { kind: "turns", turns: [query] },
      });
      return Object.assign(head, {
        checks: [firesCheck(query, expected)],
        settings: { ...NO_SETTINGS, ...settings },
      });
    }),
  );
}

const LISTS = [
  { key: "should_trigger", prefix: "should-trigger", expected: true },
  { key: "should_not_trigger", prefix: "should-not-trigger", expected: false },
] as const;

function offsetOf({ root }: SourceDocument, key: string, index: number): number {
  const tests = valueOf(root, "trigger_tests");
  const listed = tests === undefined ? undefined : valueOf(tests, key);
  const node = listed?.kind === "array" ? listed.elements[index] : undefined;
  return (node ?? root).start;
}

function firesCheck(query: string, expected: boolean): Check {
  return {
    id: "fires",
    layer: "trigger",
    text: `the skill ${expected ? "fires" : "does not fire"} on ${JSON.stringify(query)}`,
    appliesTo: "every-variant",
    origin: null,
    kind: "fires",
    expected,
    skill: null,
    forbidden: [],
  };
}
