import type { DocNode, PlainValue } from "../document/node.ts";

/**
 * What a value of a document must look like. One definition both reads values, reporting every problem at its
 * place, and describes itself as JSON Schema for editors and for models that answer in JSON.
 */
export interface Shape<T> {
  /** The value, or `INVALID` after at least one problem was reported. Never throws. */
  read(node: DocNode, context: ReadContext): T | Invalid;
  readonly schema: JsonSchema;
}

export type JsonSchema = { readonly [key: string]: PlainValue };

export const INVALID: unique symbol = Symbol("invalid");
export type Invalid = typeof INVALID;

export type ShapeOutput<S> = S extends Shape<infer T> ? T : never;

export interface ShapeProblem {
  readonly severity: "error" | "note";
  readonly offset: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** Where we are in the document, and where problems go. */
export interface ReadContext {
  readonly path: Path;
  readonly report: (problem: ShapeProblem) => void;
}

/** Linked from leaf to root so that building it costs nothing until a message needs it. */
export interface Path {
  readonly parent: Path | null;
  readonly key: string | number;
}

export const ROOT: Path = { parent: null, key: "" };

export function below(context: ReadContext, key: string | number): ReadContext {
  return { report: context.report, path: { parent: context.path, key } };
}

/** `assertions[2].count`; `the file` for the root itself. */
export function pathText(path: Path): string {
  const parts: string[] = [];
  for (let at: Path | null = path; at !== null && at.parent !== null; at = at.parent) {
    parts.unshift(typeof at.key === "number" ? `[${at.key}]` : `.${at.key}`);
  }
  return parts.length === 0 ? "the file" : parts.join("").replace(/^\./, "");
}

/** Reports and returns `INVALID`, so that a shape can end with `return invalid(...)`. */
export function invalid(
  context: ReadContext,
  node: { readonly start: number },
  problem: { code: string; message: string; hint?: string },
): Invalid {
  context.report({ severity: "error", offset: node.start, ...problem });
  return INVALID;
}
