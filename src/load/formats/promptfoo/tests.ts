import type { DocNode, PlainValue } from "../../../lib/document/node.ts";
import { INVALID } from "../../../lib/shape/shape.ts";
import type { Placed, Reading } from "./places.ts";
import { TEST, type Test } from "./shape.ts";
import { placedAt, readVars } from "./vars.ts";
import type { Vars } from "./render.ts";

/** A test with what `defaultTest` adds to it. */
export interface ReadTest {
  readonly said: Test;
  readonly placed: Placed;
  readonly vars: Vars;
  readonly asserts: readonly Placed[];
}

/** The tests of a configuration, in files or not; null after a problem was reported. */
export async function readTests(
  placed: Placed | null,
  { defaults, reading, way }: { defaults: ReadTest | null; reading: Reading; way: readonly string[] },
): Promise<readonly ReadTest[] | null> {
  if (placed === null) return [];
  const { node, document } = placed;
  if (node.kind === "string" && node.value.includes("*")) {
    const names = await reading.matching(node.value, placed);
    const list = names?.map((value) => ({ ...node, value })) ?? null;
    return list === null
      ? null
      : readTests(
          { node: { kind: "array", elements: list, start: node.start, end: node.end }, document },
          { defaults, reading, way },
        );
  }
  if (node.kind === "string") {
    const file = await reading.parsed(node.value, placed, way);
    if (file === null) return null;
    return readTests({ node: file.root, document: file }, { defaults, reading, way: [...way, file.path] });
  }
  if (node.kind !== "array") {
    const one = node.kind === "object" ? await readTest(placed, { defaults, reading }) : null;
    if (node.kind === "object") return one === null ? null : [one];
    return reading.refuse(
      document.at(node.start),
      "wrong-type",
      "tests must be a list or the name of a file",
    );
  }
  const tests: ReadTest[] = [];
  for (const element of node.elements) {
    const read = await readTests({ node: element, document }, { defaults, reading, way });
    if (read === null) return null;
    tests.push(...read);
  }
  return tests;
}

/** One test, or `defaultTest` itself. */
export async function readTest(
  placed: Placed,
  { defaults, reading }: { defaults: ReadTest | null; reading: Reading },
): Promise<ReadTest | null> {
  const said = TEST.read(placed.node, reading.context(placed));
  const vars = await readVars(placedAt(placed, "vars"), reading);
  if (said === INVALID || vars === null) return null;
  const isBare = said.options?.extras["disableDefaultAsserts"] === true;
  return {
    said,
    placed,
    vars: { ...defaults?.vars, ...vars },
    asserts: [...elementsOf(placed), ...(isBare ? [] : (defaults?.asserts ?? []))],
  };
}

function elementsOf(placed: Placed): readonly Placed[] {
  const list = placedAt(placed, "assert");
  const nodes: readonly DocNode[] = list?.node.kind === "array" ? list.node.elements : [];
  return nodes.map((node) => ({ node, document: placed.document }));
}

/** What of a test is no check and no prompt, by field. */
export function leftOfTest({ said }: ReadTest): Readonly<Record<string, PlainValue>> {
  const { threshold, options, metadata, extras } = said;
  const others = Object.entries(options?.extras ?? {}).filter(([key]) => !["prefix", "suffix"].includes(key));
  return {
    ...extras,
    ...(threshold === null ? {} : { threshold }),
    ...(metadata === null ? {} : { metadata }),
    ...(others.length === 0 ? {} : { options: Object.fromEntries(others) }),
  };
}
