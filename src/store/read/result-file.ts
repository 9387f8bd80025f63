import type { Diagnostic } from "../../domain/diagnostic.ts";
import { parseJson } from "../../lib/document/json.ts";
import type { DocNode, PlainValue } from "../../lib/document/node.ts";
import { positions } from "../../lib/document/position.ts";
import { type Field, optionalOrNull } from "../../lib/shape/object.ts";
import { INVALID, type Invalid, ROOT, type Shape } from "../../lib/shape/shape.ts";
import { readTextFile } from "../../lib/text-file.ts";

/** What a result file says, or null with the reason among the diagnostics. */
interface Reading<T> {
  readonly value: T | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** A reader of one kind of result file, ours or another tool's. Never throws for what a file says. */
export interface ResultFile<T> {
  read(path: string): Promise<Reading<T>>;
  parse(path: string, text: string): Reading<T>;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** `name` begins the codes of its diagnostics, e.g. `grading/wrong-type`. */
export function resultFile<T>(name: string, shape: Shape<T>): ResultFile<T> {
  const parse = (path: string, text: string): Reading<T> => {
    const diagnostics: Diagnostic[] = [];
    const position = positions(text);
    const at = (offset: number) => ({ file: path, ...position(offset) });
    const parsed = parseJson(text);
    if (!parsed.ok) {
      for (const problem of parsed.problems) {
        const { offset, code, message, hint = null } = problem;
        diagnostics.push({ severity: "error", code: `file/${code}`, message, at: at(offset), hint });
      }
      return { value: null, diagnostics };
    }
    const value = shape.read(parsed.root, {
      path: ROOT,
      report: ({ severity, offset, code, message, hint = null }) =>
        diagnostics.push({ severity, code: `${name}/${code}`, message, at: at(offset), hint }),
    });
    return { value: value === INVALID ? null : value, diagnostics };
  };
  return {
    parse,
    async read(path) {
      const file = await readTextFile(path, MAX_BYTES);
      if (file.ok) return parse(path, file.text);
      const { code, message, hint } = file;
      const at = { file: path, line: 1, column: 1 };
      return { value: null, diagnostics: [{ severity: "error", code: `file/${code}`, message, at, hint }] };
    },
  };
}

/** A field that may be left out, be null, or be wrong: a wrong one is noted and taken as unknown. */
export function lenient<T>(shape: Shape<T>): Field<T | null> {
  return optionalOrNull({
    schema: shape.schema,
    read(node, context) {
      const value = shape.read(node, {
        path: context.path,
        report: (problem) => context.report({ ...problem, severity: "note" }),
      });
      return value === INVALID ? null : value;
    },
  });
}

/** The first shape that fits, decided by the kind of value. */
export function byKind<T>(shapes: Partial<Record<DocNode["kind"], Shape<T>>>, otherwise: Shape<T>): Shape<T> {
  return {
    schema: { anyOf: [...Object.values(shapes), otherwise].map((shape) => shape.schema) },
    read: (node, context): T | Invalid => (shapes[node.kind] ?? otherwise).read(node, context),
  };
}

/** For a message about a file that is something else. */
export function keysText(node: DocNode): string {
  if (node.kind !== "object") return "";
  const keys = node.entries.map((entry) => entry.key);
  return keys.length === 0
    ? "it is empty"
    : `its keys are ${keys.slice(0, 8).join(", ")}${keys.length > 8 ? " and more" : ""}`;
}

export type Extras = { readonly [key: string]: PlainValue };
