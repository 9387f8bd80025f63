import type { PatternNode } from "./pattern.ts";

/** The fewest and the most characters that a part can match. */
export interface Width {
  readonly min: number;
  /** `Infinity` where there is no bound. */
  readonly max: number;
}

/** `groups` has the widths of the groups read so far; it is filled on the way. */
export function widthOf(node: PatternNode, groups: Map<number, Width>): Width {
  switch (node.kind) {
    case "literal":
    case "any":
    case "set":
      return { min: 1, max: 1 };
    case "edge":
      return NONE;
    case "look":
      widthOf(node.body, groups);
      return NONE;
    case "sequence":
      return node.parts.map((part) => widthOf(part, groups)).reduce(inRow, NONE);
    case "choice":
      return either(node.branches.map((branch) => widthOf(branch, groups)));
    case "conditional":
      return either([widthOf(node.yes, groups), widthOf(node.no, groups)]);
    case "atomic":
      return widthOf(node.body, groups);
    case "group": {
      const width = widthOf(node.body, groups);
      if (node.number !== null) groups.set(node.number, width);
      return width;
    }
    case "backreference":
      return groups.get(node.group) ?? { min: 0, max: Infinity };
    case "repeat": {
      const { min, max } = widthOf(node.body, groups);
      return { min: times(min, node.min), max: times(max, node.max) };
    }
  }
}

const NONE: Width = { min: 0, max: 0 };

function inRow(one: Width, other: Width): Width {
  return { min: one.min + other.min, max: one.max + other.max };
}

function either(widths: readonly Width[]): Width {
  return {
    min: Math.min(...widths.map(({ min }) => min)),
    max: Math.max(...widths.map(({ max }) => max)),
  };
}

/** Nothing times without end is nothing. */
function times(width: number, count: number): number {
  return width === 0 || count === 0 ? 0 : width * count;
}
