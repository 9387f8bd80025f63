import { type ReadContext, ROOT, type ShapeProblem } from "../lib/shape/shape.ts";
import type { AnyFormatName } from "../domain/suite.ts";
import type { LoadContext, SourceDocument } from "./format.ts";

/** Lets shapes read a document: what they report becomes a diagnostic of the format, at its place in the file. */
export function readContext(
  format: AnyFormatName,
  document: SourceDocument,
  context: Pick<LoadContext, "report">,
): ReadContext {
  return {
    path: ROOT,
    report: ({ severity, code, message, offset, hint }: ShapeProblem) =>
      context.report({
        severity,
        code: `${format}/${code}`,
        message,
        at: document.at(offset),
        hint: hint ?? null,
      }),
  };
}
