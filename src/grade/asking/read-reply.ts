import { parseJson } from "../../lib/document/json.ts";
import { type DocNode, toPlain } from "../../lib/document/node.ts";
import { INVALID, ROOT, type Shape } from "../../lib/shape/shape.ts";

/** The value a model's reply holds, or what is wrong with it in words for the model. */
export type ReadReply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/**
 * Finds the one JSON value of the shape in a reply. Prose and code fences around it are passed over, also when the value
 * itself quotes fences. Two different values are refused: which of them is meant is not ours to guess.
 */
export function readReply<T>(text: string, shape: Shape<T>): ReadReply<T> {
  if (text.trim() === "") return { ok: false, problem: "the reply is empty" };
  const whole = parseJson(text);
  if (whole.ok) return readNode(whole.root, shape);
  const { values, broken } = jsonIn(text);
  const reads = values.map((node) => ({ node, read: readNode(node, shape) }));
  const fitting = reads.filter(({ read }) => read.ok);
  const different = new Set(fitting.map(({ node }) => JSON.stringify(toPlain(node))));
  if (different.size > 1)
    return { ok: false, problem: "the reply holds several different JSON answers; give exactly one" };
  const [best] = broken === null ? [...fitting, ...reads] : fitting;
  if (best !== undefined) return best.read;
  const problem = broken ?? whole.problems[0]?.message ?? "nothing found";
  return { ok: false, problem: `the reply is not JSON: ${problem.replace("the file", "the reply")}` };
}

function readNode<T>(node: DocNode, shape: Shape<T>): ReadReply<T> {
  const problems: string[] = [];
  const value = shape.read(node, {
    path: ROOT,
    report: ({ severity, message, hint }) => {
      if (severity === "error") problems.push(hint === undefined ? message : `${message} (${hint})`);
    },
  });
  if (value !== INVALID) return { ok: true, value };
  const told = problems.slice(0, MOST_PROBLEMS).map((problem) => problem.replace(/^the file\b/, "the reply"));
  const more = problems.length - told.length;
  return { ok: false, problem: `${told.join("; ")}${more > 0 ? `; and ${more} more problems` : ""}` };
}

const MOST_PROBLEMS = 8;

/**
 * Objects and lists that stand whole in the text, longest first. Nothing is looked for inside one that is broken or cut
 * off: a verdict inside half a reply is not the reply.
 */
function jsonIn(text: string): { readonly values: readonly DocNode[]; readonly broken: string | null } {
  const found: { readonly node: DocNode; readonly length: number }[] = [];
  let broken: string | null = null;
  let tries = 0;
  for (let start = nextOpening(text, 0); start !== -1 && tries < MOST_TRIES; tries++) {
    const end = closingOf(text, start) ?? text.length;
    const parsed = parseJson(text.slice(start, end));
    if (parsed.ok) found.push({ node: parsed.root, length: end - start });
    const meant = parsed.ok || MEANT_AS_JSON.test(text.slice(start, start + 100));
    if (meant && !parsed.ok) broken ??= parsed.problems[0]?.message ?? "a value is broken";
    start = nextOpening(text, meant ? end : start + 1);
  }
  return { values: found.sort((a, b) => b.length - a.length).map(({ node }) => node), broken };
}

/** How objects with keys and lists of them begin; braces in prose do not. */
const MEANT_AS_JSON = /^(?:\{\s*"|\[\s*[{["])/;

/** Openings that lead nowhere are looked at this often; real replies have a handful. */
const MOST_TRIES = 1000;

function nextOpening(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at === -1 ? -1 : from + at;
}

/** Where the value that opens at `start` ends, exclusive; null when it never does. */
function closingOf(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return null;
}
