import { type DocNode, valueOf } from "../../../lib/document/node.ts";
import type { ReadContext } from "../../../lib/shape/shape.ts";

/**
 * Reports ids that two of the assertions, fields and criteria share, and sections or tiers that cannot be told
 * apart. Works on the document, so that it speaks even where something else is wrong. True when all are distinct.
 */
export function checkNames(root: DocNode, context: ReadContext): boolean {
  const sections = elements(valueOf(root, "sections"), "sections");
  const tiers = sections.flatMap(({ node, place }) => elements(valueOf(node, "tiers"), `${place}.tiers`));
  const withFields = [...sections, ...tiers];
  const groups: readonly [string, string, readonly Placed[]][] = [
    [
      "id",
      "id",
      [
        ...elements(valueOf(root, "assertions"), "assertions"),
        ...withFields.flatMap(({ node, place }) => elements(valueOf(node, "fields"), `${place}.fields`)),
        ...elements(valueOf(root, "grading_criteria"), "grading_criteria"),
      ],
    ],
    ["name", "section name", sections],
    ...sections.map(({ node, place }): [string, string, readonly Placed[]] => [
      "label",
      "tier label",
      elements(valueOf(node, "tiers"), `${place}.tiers`),
    ]),
  ];
  return groups.map(([key, noun, placed]) => distinct(placed, { key, noun }, context)).every(Boolean);
}

interface Placed {
  readonly node: DocNode;
  readonly place: string;
}

function elements(node: DocNode | undefined, place: string): readonly Placed[] {
  if (node?.kind !== "array") return [];
  return node.elements.map((element, index) => ({ node: element, place: `${place}[${index}]` }));
}

function distinct(
  placed: readonly Placed[],
  { key, noun }: { key: string; noun: string },
  context: ReadContext,
): boolean {
  const first = new Map<string, string>();
  let unique = true;
  for (const { node, place } of placed) {
    const name = valueOf(node, key);
    if (name?.kind !== "string") continue;
    const before = first.get(name.value);
    if (before === undefined) {
      first.set(name.value, place);
      continue;
    }
    unique = false;
    context.report({
      severity: "error",
      offset: name.start,
      code: key === "id" ? "duplicate-id" : "duplicate-name",
      message: `the ${noun} ${JSON.stringify(name.value)} of ${place} is already used by ${before}`,
    });
  }
  return unique;
}
