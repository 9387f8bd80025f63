import type { Diagnostic } from "../domain/diagnostic.ts";
import type { EvalFile } from "../domain/suite.ts";
import { deepFreeze } from "../lib/deep-freeze.ts";
import { required, optionalOrNull } from "../lib/shape/object.ts";
import { fields, plainOf, readPlain } from "../lib/shape/read-plain.ts";
import { nullable, oneOf, text } from "../lib/shape/values.ts";
import { thrownWords } from "../lib/thrown-words.ts";
import { within } from "../lib/within.ts";
import { evalFileShape, LOCATION } from "./eval-file-shape.ts";
import type { Format, LoadContext, SourceDocument } from "./format.ts";

interface OwnContext extends LoadContext {
  readonly signal?: AbortSignal;
}

/** How long a format may take over one file. */
const LOAD_MS = 60_000;

const RECOGNITION = nullable(
  fields({ dialect: required(text()), confidence: required(oneOf(["certain", "likely"])) }),
);

const DIAGNOSTIC = fields({
  severity: required(oneOf(["error", "note"])),
  code: required(text()),
  message: required(text()),
  at: optionalOrNull(LOCATION),
  hint: optionalOrNull(text()),
});

/**
 * By the first of the user's own formats that recognizes it. What one answers is read by its shape; one that breaks, does not
 * end or answers something else is an error about the file.
 */
export async function loadByOwn(
  document: SourceDocument,
  formats: readonly Format[],
  context: OwnContext,
): Promise<EvalFile | null | "not-theirs"> {
  for (const format of formats) {
    try {
      if (!recognises(format, document)) continue;
      return await loadBy(format, document, context);
    } catch (error) {
      context.report(broke(format, document, { code: "load/format-broke", words: thrownWords(error) }));
      return null;
    }
  }
  return "not-theirs";
}

function recognises(format: Format, document: SourceDocument): boolean {
  const said: unknown = format.recognise(document);
  return plainOf(said ?? null, RECOGNITION, "what recognise returned") !== null;
}

async function loadBy(
  format: Format,
  document: SourceDocument,
  { signal, skill, report, projectRoot, evalsDirectory = null }: OwnContext,
): Promise<EvalFile | null> {
  deepFreeze(skill);
  let isOver = false;
  let errors = 0;
  const hear = (said: Diagnostic): void => {
    if (isOver) return;
    const diagnostic = plainOf(said, DIAGNOSTIC, "what was reported");
    if (diagnostic.severity === "error") errors++;
    report(diagnostic);
  };
  const given = { skill, projectRoot, evalsDirectory, report: hear };
  const patience = { limitMs: LOAD_MS, ...(signal && { signal }) };
  const answer = await within(() => format.load(document, given), patience).finally(() => (isOver = true));
  if (answer === null && errors === 0) throw new Error("load returned null and reported no error");
  if (answer === null) return null;
  const read = readPlain(answer, evalFileShape(document, format.name), "what load returned");
  if (read.ok) return read.value;
  for (const { code, message } of read.problems)
    report(broke(format, document, { code: `${format.name}/${code}`, words: message }));
  return null;
}

function broke(
  { name }: Format,
  document: SourceDocument,
  { code, words }: { readonly code: string; readonly words: string },
): Diagnostic {
  return {
    severity: "error",
    code,
    message: `the format ${name} in your configuration failed: ${words}`,
    at: document.at(document.root.start),
    hint: "assay/contracts has a suite for formats; docs/extend/format.md shows how to run it",
  };
}
