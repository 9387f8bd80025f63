import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { DocEntry, DocNode, DocProblem, Parsed } from "./node.ts";

/** Deeper documents are refused before anything recurses over them. */
export const MAX_DEPTH = 200;

/** Strict JSON with positions: no comments, no trailing commas, no duplicate keys, no NaN. */
export function parseJson(text: string): Parsed {
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== null) {
    return refuse({
      offset: tooDeep,
      code: "too-deep",
      message: `nested more than ${MAX_DEPTH} levels deep`,
    });
  }
  if (text.trim() === "") return refuse({ offset: 0, code: "empty", message: "the file is empty" });
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const first = errors[0];
  if (first !== undefined) return refuse(explain(text, first));
  if (root === undefined) return refuse({ offset: 0, code: "syntax", message: "no JSON value found" });
  const problems: DocProblem[] = [];
  const node = toNode(text, root, problems);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, root: node };
}

function refuse(problem: DocProblem): Parsed {
  return { ok: false, problems: [problem] };
}

function firstTooDeep(text: string): number | null {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c) i++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) {
      depth++;
      if (depth > MAX_DEPTH) return i;
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
  return null;
}

function toNode(text: string, node: Node, problems: DocProblem[]): DocNode {
  const start = node.offset;
  const end = start + node.length;
  switch (node.type) {
    case "object":
      return { start, end, kind: "object", entries: toEntries(text, node, problems) };
    case "array":
      return {
        start,
        end,
        kind: "array",
        elements: (node.children ?? []).map((child) => toNode(text, child, problems)),
      };
    case "string":
      return { start, end, kind: "string", value: node.value as string };
    case "number": {
      const written = text.slice(start, end);
      const value = Number(written);
      if (!Number.isFinite(value)) {
        problems.push({
          offset: start,
          code: "syntax",
          message: `the number ${written} is out of range`,
        });
      }
      return { start, end, kind: /[.eE]/.test(written) ? "float" : "int", value };
    }
    case "boolean":
      return { start, end, kind: "bool", value: node.value as boolean };
    default:
      return { start, end, kind: "null" };
  }
}

function toEntries(text: string, node: Node, problems: DocProblem[]): DocEntry[] {
  const seen = new Set<string>();
  const entries: DocEntry[] = [];
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? [];
    if (keyNode === undefined || valueNode === undefined) continue;
    const key = keyNode.value as string;
    const keySpan = { start: keyNode.offset, end: keyNode.offset + keyNode.length };
    const refused = refusedKey(key, seen);
    if (refused !== null) problems.push({ offset: keySpan.start, ...refused });
    seen.add(key);
    entries.push({ key, keySpan, value: toNode(text, valueNode, problems) });
  }
  return entries;
}

/** Shared by JSON and YAML: keys that would be lost or would reach an object's prototype. */
export function refusedKey(key: string, seen: ReadonlySet<string>): { code: string; message: string } | null {
  if (key === "__proto__") return { code: "forbidden-key", message: 'the key "__proto__" is not allowed' };
  if (seen.has(key))
    return { code: "duplicate-key", message: `the key ${JSON.stringify(key)} appears twice` };
  return null;
}

function explain(text: string, error: ParseError): DocProblem {
  const whole = text.trim();
  if (/^\.{0,2}\/?[\w.@-]+(\/[\w.@-]+)+$/.test(whole)) {
    return {
      offset: 0,
      code: "symlink-stub",
      message: `not JSON but a path, ${JSON.stringify(whole)}: this looks like an unresolved symlink`,
      hint: "check the repository out with symlinks enabled, or point at the file itself",
    };
  }
  const code = printParseErrorCode(error.error);
  const found = text.slice(error.offset, error.offset + Math.max(1, Math.min(error.length, 20)));
  const at = { offset: error.offset, code: "syntax" };
  switch (code) {
    case "InvalidCommentToken":
    case "UnexpectedEndOfComment":
      return {
        ...at,
        message: "comments are not JSON",
        hint: 'use a key that starts with "_" instead, e.g. "_comment"',
      };
    case "UnexpectedEndOfString":
      return unfinishedString(text, error);
    case "InvalidCharacter":
      return {
        ...at,
        message: "a raw control character in a string",
        hint: "write it as \\n, \\t or \\u00XX",
      };
    case "InvalidUnicode":
    case "InvalidEscapeCharacter":
      return { ...at, message: `${JSON.stringify(found)} is not a JSON escape` };
    case "UnexpectedEndOfNumber":
    case "InvalidNumberFormat":
      return { ...at, message: `${JSON.stringify(found)} is not a JSON number` };
    default:
      break;
  }
  if (error.offset >= text.trimEnd().length) {
    return {
      ...at,
      offset: text.trimEnd().length,
      message: "the file ends in the middle of a value: it is cut off",
    };
  }
  return { ...at, ...unexpected(text, error, code, found) };
}

function unfinishedString(text: string, error: ParseError): DocProblem {
  const end = error.offset + error.length;
  const rawBreak = text.slice(end).search(/\S/) !== -1;
  return rawBreak
    ? {
        offset: end,
        code: "syntax",
        message: "raw line break in a string, or a string that is never closed",
        hint: "write a line break as \\n",
      }
    : { offset: error.offset, code: "syntax", message: "a string is never closed: the file is cut off" };
}

function unexpected(
  text: string,
  error: ParseError,
  code: string,
  found: string,
): { message: string; hint?: string } {
  const before = text.slice(0, error.offset).trimEnd();
  if (before.endsWith(",") && /^[}\]]/.test(found))
    return { message: "trailing comma", hint: "remove the comma before this" };
  const shown = JSON.stringify(found.split("\n")[0]);
  switch (code) {
    case "CommaExpected":
      return {
        message: `expected a comma before ${shown}`,
        hint: "a comma is missing, or a quote in a string is not escaped",
      };
    case "ColonExpected":
      return { message: `expected a colon before ${shown}` };
    case "PropertyNameExpected":
      return { message: `expected a key in double quotes, found ${shown}` };
    case "EndOfFileExpected":
      return { message: `expected the end of the file, found ${shown}` };
    default:
      return { message: `expected a JSON value, found ${shown}` };
  }
}
