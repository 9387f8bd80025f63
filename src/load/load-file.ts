import { basename } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Skill } from "../domain/skill.ts";
import type { AnyFormatName, EvalFile, FormatName } from "../domain/suite.ts";
import { readDocument } from "./document.ts";
import { type FoundFile, isEvalFileName } from "./eval-files.ts";
import type { Format, SourceDocument } from "./format.ts";
import { looksLike, outline } from "./looks-like.ts";
import { type Formats, recognise } from "./recognise.ts";

export interface FileContext {
  readonly report: (diagnostic: Diagnostic) => void;
  readonly formats: Formats;
  /** Tried on what no built-in format recognizes. */
  readonly furtherFormats?: readonly Format[];
  readonly skill: Skill | null;
  readonly projectRoot: string | null;
}

/** Reads one eval file, once; null after it was reported why it cannot be used. */
export async function loadEvalFile(found: FoundFile, context: FileContext): Promise<EvalFile | null> {
  const report = found.optional ? asNotes(context.report) : context.report;
  const document = await readDocument(found.path, report);
  if (document === null) return null;
  const format = await recognise(document, found.expected, context.formats);
  if (format === null) {
    const read = await loadByOwn(document, found, { ...context, report });
    return read === "not-theirs" ? loadUnrecognised(document, found, { ...context, report }) : read;
  }
  noteOtherName(document, { expected: found.expected, actual: format.name, report });
  return format.load(document, { ...context, evalsDirectory: found.evalsDirectory });
}

/** By the first of the user's own formats that recognizes it; one that breaks is an error about the file. */
async function loadByOwn(
  document: SourceDocument,
  { evalsDirectory }: FoundFile,
  context: FileContext,
): Promise<EvalFile | null | "not-theirs"> {
  for (const format of context.furtherFormats ?? []) {
    try {
      if (format.recognise(document) === null) continue;
      return await format.load(document, { ...context, evalsDirectory });
    } catch (error) {
      context.report({
        severity: "error",
        code: "load/format-broke",
        message: `the format ${format.name} of your configuration broke: ${error instanceof Error ? error.message : String(error)}`,
        at: document.at(document.root.start),
        hint: "assay/contracts has a suite for formats; docs/extend/format.md shows how to run it",
      });
      return null;
    }
  }
  return "not-theirs";
}

/**
 * The format that the place speaks for says best what is missing. clauditor's specs may leave out everything, so
 * there a file with nothing of theirs is told what it is instead.
 */
async function loadUnrecognised(
  document: SourceDocument,
  found: FoundFile,
  context: FileContext,
): Promise<EvalFile | null> {
  const kind = looksLike(document.root);
  if (kind === null && !found.optional && found.expected !== "clauditor") {
    const format = await context.formats[found.expected]();
    return format.load(document, { ...context, evalsDirectory: found.evalsDirectory });
  }
  context.report({
    severity: "error",
    code: "load/unknown-format",
    message: `this is not an eval file Assay can read: it looks like ${kind ?? outline(document.root)}`,
    at: document.at(document.root.start),
    hint: "Assay reads the eval files of clauditor, Skillet, BMad and skill-creator",
  });
  return null;
}

function noteOtherName(
  document: SourceDocument,
  {
    expected,
    actual,
    report,
  }: { expected: FormatName; actual: AnyFormatName; report: FileContext["report"] },
): void {
  const name = basename(document.path);
  const shareNames = expected !== "clauditor" && actual !== "clauditor" && actual !== "skillet";
  if (expected === actual || shareNames || !isBuiltIn(actual) || !isEvalFileName(name)) return;
  report({
    severity: "note",
    code: "load/other-format",
    message: `the file is named like ${TITLES[expected]} but holds ${TITLES[actual]}, and is read as that`,
    at: document.at(document.root.start),
    hint: `rename it, e.g. to ${USUAL_NAMES[actual]}`,
  });
}

function isBuiltIn(name: AnyFormatName): name is FormatName {
  return Object.hasOwn(TITLES, name);
}

const TITLES: Readonly<Record<FormatName, string>> = {
  clauditor: "a clauditor spec",
  skillet: "a Skillet eval",
  bmad: "BMad evals",
  "skill-creator": "skill-creator evals",
};

const USUAL_NAMES: Readonly<Record<FormatName, string>> = {
  clauditor: "SKILL.eval.json beside SKILL.md",
  skillet: "001.yaml",
  bmad: "evals.json in evals/<skill-name>/",
  "skill-creator": "evals/evals.json in the skill",
};

function asNotes(report: FileContext["report"]): FileContext["report"] {
  return (diagnostic) => report({ ...diagnostic, severity: "note" });
}
