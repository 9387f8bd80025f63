import { isAlias, isMap, isScalar, isSeq, type Node } from "yaml";
import type { DocProblem } from "./node.ts";

/** More is an attack or a mistake. */
const MAX_NODES = 200_000;

/** What aliases may add to what is written out. */
const MAX_ALIASED = 20_000;

/**
 * What makes a document too large to read, aliases expanded; null where nothing does. Every written node is counted once, so
 * a small file that would expand to billions of values is refused as fast as any other.
 */
export function yamlExcess(root: Node): DocProblem | null {
  const counter = new Counter();
  counter.count(root);
  return counter.problem;
}

class Counter {
  problem: DocProblem | null = null;
  #written = 0;
  #aliased = 0;
  /** How many values an anchor stands for; null while it is being counted. */
  readonly #anchors = new Map<string, number | null>();

  /** The values that the node stands for. */
  count(node: Node | null): number {
    if (this.problem !== null) return 0;
    if (isAlias(node)) return this.#alias(node);
    this.#written++;
    if (this.#written > MAX_NODES)
      this.#refuse(node, "too-many-values", `the file has more than ${MAX_NODES} values`);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, null);
    const size = 1 + this.#inside(node);
    if (anchor !== undefined) this.#anchors.set(anchor, size);
    return size;
  }

  #alias(node: Node & { readonly source: string }): number {
    const size = this.#anchors.get(node.source);
    // The reader says so of an alias without an anchor.
    if (size === undefined) return 1;
    if (size === null) {
      this.#refuse(node, "too-deep", `*${node.source} holds itself`);
      return 1;
    }
    this.#aliased += size;
    if (this.#aliased > MAX_ALIASED)
      this.#refuse(node, "alias-bomb", "its aliases expand to more values than a file may hold");
    return size + 1;
  }

  #inside(node: Node | null): number {
    const children: readonly unknown[] = isMap(node)
      ? node.items.map(({ value }) => value)
      : isSeq(node)
        ? node.items
        : [];
    let size = 0;
    for (const child of children) {
      size += this.count(child as Node | null);
      if (this.problem !== null) break;
    }
    return size;
  }

  #refuse(node: Node | null, code: string, message: string): void {
    this.problem ??= { offset: node?.range?.[0] ?? 0, code, message };
  }
}
