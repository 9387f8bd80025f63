import { basename } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Skill } from "../domain/skill.ts";
import type { AnyFormatName, EvalFile, ReadableName } from "../domain/suite.ts";
import { readDocument } from "./document.ts";
import { READABLE_NAMES } from "./formats/index.ts";
import { type FoundFile, isEvalFileName } from "./eval-files.ts";
import type { Format, SourceDocument } from "./format.ts";
import { nearest } from "../lib/nearest.ts";
import { looksLike, outline } from "./looks-like.ts";
import type { UnmappedFields } from "./unmapped.ts";
import { type Formats, recognise } from "./recognise.ts";

export interface FileContext {
  readonly report: (diagnostic: Diagnostic) => void;
  readonly formats: Formats;
  /** Tried on what no built-in format recognizes. */
  readonly furtherFormats?: readonly Format[];
  readonly furtherJudges?: readonly string[];
  /** Ends the waiting for one of those; absent: nothing does, but its limit. */
  readonly signal?: AbortSignal;
  readonly unmapped?: UnmappedFields;
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
    const read = await loadByFurther(document, found, { ...context, report });
    return read === "not-theirs" ? loadUnrecognised(document, found, { ...context, report }) : read;
  }
  noteOtherName(document, { expected: found.expected, actual: format.name, report });
  return format.load(document, { ...context, evalsDirectory: found.evalsDirectory });
}

async function loadByFurther(
  document: SourceDocument,
  { evalsDirectory }: FoundFile,
  { furtherFormats = [], ...context }: FileContext,
): Promise<EvalFile | null | "not-theirs"> {
  if (furtherFormats.length === 0) return "not-theirs";
  const { loadByOwn } = await import("./own-format.ts");
  return loadByOwn(document, furtherFormats, { ...context, evalsDirectory });
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
  if (isForeignYaml(document, found)) {
    context.report({
      severity: "note",
      code: "load/foreign-yaml",
      message: `this is not a Skillet eval but ${kind ?? outline(document.root)}; it is ignored`,
      at: document.at(document.root.start),
      hint: null,
    });
    return null;
  }
  if (kind === null && !found.optional && found.expected !== "clauditor") {
    const format = await context.formats[found.expected]?.();
    if (format !== undefined)
      return format.load(document, { ...context, evalsDirectory: found.evalsDirectory });
  }
  context.report({
    severity: "error",
    code: "load/unknown-format",
    message: `this is not an eval file Assay can read: it looks like ${kind ?? outline(document.root)}`,
    at: document.at(document.root.start),
    hint: `Assay reads ${READABLE_NAMES.join(", ")}`,
  });
  return null;
}

/** YAML is used for much else: in a folder, what has nothing of an eval is none. */
function isForeignYaml({ root }: SourceDocument, { expected, isNamed }: FoundFile): boolean {
  if (expected !== "skillet" || isNamed) return false;
  const keys = root.kind === "object" ? root.entries.map(({ key }) => key) : [];
  return !keys.some((key) => nearest(key, OF_AN_EVAL) !== null);
}

const OF_AN_EVAL = ["prompt", "expected", "expectation", "expected_output"];

function noteOtherName(
  document: SourceDocument,
  {
    expected,
    actual,
    report,
  }: { expected: ReadableName; actual: AnyFormatName; report: FileContext["report"] },
): void {
  const name = basename(document.path);
  const shareNames = expected !== "clauditor" && actual !== "clauditor" && actual !== "skillet";
  if (expected === actual || shareNames || !isBuiltIn(actual) || !isEvalFileName(name)) return;
  report({
    severity: "note",
    code: "load/other-format",
    message: `the file is named like ${TITLES[expected]} but holds ${TITLES[actual]}, and is read as such`,
    at: document.at(document.root.start),
    hint: `rename it, e.g. to ${USUAL_NAMES[actual]}`,
  });
}

function isBuiltIn(name: AnyFormatName): name is ReadableName {
  return Object.hasOwn(TITLES, name);
}

const TITLES: Readonly<Record<ReadableName, string>> = {
  clauditor: "a clauditor spec",
  skillet: "a Skillet eval",
  bmad: "BMad evals",
  "skill-creator": "skill-creator evals",
  "claude-plugin": "a case of claude plugin eval",
  "sentry-skillet": "a case of Sentry's Skillet",
  promptfoo: "a promptfoo configuration",
  tessl: "a tessl scenario",
};

const USUAL_NAMES: Readonly<Record<ReadableName, string>> = {
  clauditor: "SKILL.eval.json beside SKILL.md",
  skillet: "001.yaml",
  bmad: "evals.json in evals/<skill-name>/",
  "skill-creator": "evals/evals.json in the skill",
  "claude-plugin": "evals/<case>/prompt.md in the plugin",
  "sentry-skillet": "evals/cases/<name>.yaml in the skill",
  promptfoo: "promptfooconfig.yaml",
  tessl: "evals/<scenario>/criteria.json",
};

function asNotes(report: FileContext["report"]): FileContext["report"] {
  return (diagnostic) => report({ ...diagnostic, severity: "note" });
}
