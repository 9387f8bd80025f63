import type { Diagnostic } from "../../../domain/diagnostic.ts";
import type { Case, EvalFile } from "../../../domain/suite.ts";
import { parseDocument } from "../../document.ts";
import type { LoadContext } from "../../format.ts";
import { skillCreator } from "./skill-creator.ts";

/** What came of a text, for tests. */
export interface Loaded {
  readonly parsed: boolean;
  readonly file: EvalFile | null;
  readonly errors: readonly string[];
  readonly notes: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function loadText(
  text: string,
  options: Partial<Omit<LoadContext, "report">> & { readonly path?: string } = {},
): Promise<Loaded> {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const { path = "/nowhere/skill/evals/evals.json", skill = null, projectRoot = null } = options;
  const document = parseDocument(path, text, report);
  const file = document && (await skillCreator.load(document, { report, skill, projectRoot }));
  const messages = (severity: Diagnostic["severity"]) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).map(({ message }) => message);
  return { parsed: document !== null, file, errors: messages("error"), notes: messages("note"), diagnostics };
}

/** A file as it is apart from where it stands, to compare what was written with what was read. */
export function withoutPlaces(
  file: EvalFile,
): Omit<EvalFile, "path" | "cases"> & { readonly cases: readonly Omit<Case, "at">[] } {
  const { path: _path, cases, ...rest } = file;
  return { ...rest, cases: cases.map(({ at: _at, ...evalCase }) => evalCase) };
}
