import type { DocNode, DocProblem } from "../lib/document/node.ts";
import { parseYaml } from "../lib/document/yaml.ts";

/** What stands between the two `---` lines at the head of a Markdown file; offsets are into the whole text. */
export type Frontmatter =
  | { readonly kind: "read"; readonly root: DocNode & { readonly kind: "object" } }
  | { readonly kind: "missing" }
  | { readonly kind: "broken"; readonly problems: readonly FrontmatterProblem[] };

interface FrontmatterProblem extends DocProblem {
  readonly code: "unclosed" | "invalid" | "unquoted-colon" | "not-a-mapping";
}

export interface FrontmatterSplit {
  readonly frontmatter: Frontmatter;
  /** Where the body begins; 0 when there is no frontmatter to leave out. */
  readonly bodyStart: number;
}

/** Reads the YAML frontmatter of a Markdown text. Never throws. */
export function splitFrontmatter(text: string): FrontmatterSplit {
  if (!/^---[ \t]*(?:\r?\n|$)/.test(text)) return { frontmatter: { kind: "missing" }, bodyStart: 0 };
  const closing = /\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (closing === null) {
    const message = "the frontmatter is never closed";
    const hint = "end it with a line of three hyphens";
    return { frontmatter: broken([{ offset: 0, code: "unclosed", message, hint }]), bodyStart: 0 };
  }
  // The opening `---` is YAML's own document marker, so parsing from 0 keeps every offset true.
  const yaml = text.slice(0, text.indexOf("\n", closing.index) + 1);
  return { frontmatter: parse(yaml), bodyStart: closing.index + closing[0].length };
}

function parse(yaml: string): Frontmatter {
  const parsed = parseYaml(yaml);
  if (!parsed.ok) {
    const [first] = parsed.problems;
    if (first?.code === "empty") {
      return { kind: "read", root: { kind: "object", entries: [], start: 0, end: 0 } };
    }
    return broken(onePerLine(yaml, parsed.problems).map((problem) => explain(yaml, problem)));
  }
  const { root } = parsed;
  if (root.kind === "object") return { kind: "read", root };
  if (root.kind === "null") return { kind: "read", root: { ...root, kind: "object", entries: [] } };
  const message = "the frontmatter must be keys with values";
  return broken([
    { offset: root.start, code: "not-a-mapping", message, hint: "write name: and description:" },
  ]);
}

function broken(problems: readonly FrontmatterProblem[]): Frontmatter {
  return { kind: "broken", problems };
}

/** One mistake often raises several errors on its line; the first says it best. */
function onePerLine(yaml: string, problems: readonly DocProblem[]): DocProblem[] {
  const seen = new Set<number>();
  return problems.filter((problem) => {
    const line = lineStart(yaml, problem.offset);
    if (seen.has(line)) return false;
    seen.add(line);
    return true;
  });
}

function explain(yaml: string, problem: DocProblem): FrontmatterProblem {
  const start = lineStart(yaml, problem.offset);
  const line = yaml.slice(start).split(/\r?\n/, 1)[0] ?? "";
  const plain = /^(\s*[\w-]+):[ \t]+(?!["'|>[{&*!#%@`])(\S.*?:(?:[ \t].*)?)$/.exec(line);
  const [, key, value] = plain ?? [];
  if (problem.code !== "syntax" || key === undefined || value === undefined) {
    return { ...problem, code: "invalid", message: `the frontmatter is not valid YAML: ${problem.message}` };
  }
  return {
    offset: start + line.indexOf(value),
    code: "unquoted-colon",
    message: `the value of ${JSON.stringify(key.trim())} has a colon in it and is not quoted, so it is not valid YAML`,
    hint: `quote it: ${key.trim()}: ${JSON.stringify(shorten(value.trim()))}`,
  };
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", Math.max(0, offset - 1)) + 1;
}

function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 57)}...` : value;
}
