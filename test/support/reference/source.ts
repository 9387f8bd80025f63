import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "rolldown/utils";

const SOURCE = fileURLToPath(new URL("../../../src", import.meta.url));

/** A node of a syntax tree, as far as these pages look at it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export interface SourceFile {
  /** Relative to `src`, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: Node;
  readonly comments: readonly { readonly value: string; readonly start: number; readonly end: number }[];
}

/** The product's own files below a folder of `src` in which something is mentioned, tests and fixtures left aside, by path. */
export function sourceFiles(folder: string, mentioned: RegExp): readonly SourceFile[] {
  const paths = readdirSync(join(SOURCE, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path).replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !/\.(?:test|contract)\.ts$|(?:^|\/)fixtures\//.test(path));
  return paths.toSorted().flatMap((path) => {
    const text = readFileSync(join(SOURCE, path), "utf8");
    if (!mentioned.test(text)) return [];
    const { program, comments } = parseSync(path, text);
    return [{ path, text, program: program as unknown as Node, comments }];
  });
}

/** Every node below one, itself first, in the order of the text. */
export function* nodesBelow(node: Node): Generator<Node> {
  yield node;
  for (const child of Object.values(node)) {
    const inner: readonly unknown[] = Array.isArray(child) ? child : [child];
    for (const one of inner) if (isNode(one)) yield* nodesBelow(one);
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** A table cell: one line, its bars escaped. */
export function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().replaceAll("|", "\\|");
}
