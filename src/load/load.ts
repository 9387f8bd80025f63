import type { Diagnostic } from "../domain/diagnostic.ts";
import type { EvalFile, Suite } from "../domain/suite.ts";
import { mapConcurrently } from "../lib/concurrent.ts";
import { contaminationNotes } from "./contamination.ts";
import { discover, type DiscoverOptions } from "./discover.ts";
import type { FoundFile } from "./eval-files.ts";
import { evalsFinder } from "./find-evals.ts";
import type { Format } from "./format.ts";
import { READABLE_FORMATS } from "./formats/index.ts";
import { implicitNotes } from "./implicit-notes.ts";
import { type Gap, gapNotes, gapOf } from "./gaps.ts";
import { lintSkill } from "./lint/lint.ts";
import type { Profile } from "./lint/rules.ts";
import { loadEvalFile } from "./load-file.ts";
import { distinctNames, mergeSuite } from "./merge.ts";
import { type FindProjectRoot, projectRootFinder } from "./project-root.ts";
import type { Formats } from "./recognise.ts";
import { evalProgramNotes } from "./scan/eval-programs.ts";
import { scanSkill } from "./scan/scan.ts";
import { frontmatterDiagnostics, readSkillDocument, type SkillDocument } from "./skill.ts";
import type { LoadSubject } from "./subject.ts";
import { UnmappedFields } from "./unmapped.ts";

export interface LoadOptions extends DiscoverOptions {
  /** Lint the skills too; null: only what keeps a skill from being read is reported. */
  readonly lint: Profile | null;
  readonly formats?: Formats;
  /** Formats beyond the built-in ones; tried last. */
  readonly furtherFormats?: readonly Format[];
  /** Names of judges beyond the built-in ones; an eval file may ask for them. */
  readonly furtherJudges?: readonly string[];
  /** Ends the waiting for further formats; absent: nothing does, but their limit. */
  readonly signal?: AbortSignal;
}

export interface Loaded {
  /** One per skill, then one per set of evals whose skill is not known; each in the order of the targets. */
  readonly suites: readonly Suite[];
  /** Everything there is to say about all files, in the same order. */
  readonly diagnostics: readonly Diagnostic[];
}

const SUBJECTS_AT_ONCE = 16;
const FILES_AT_ONCE = 16;
const SUBJECTS_HELD = 256;

/** Reads everything the targets name, each file once. What is wrong with the files is data; it never throws for that. */
export async function loadTargets(targets: readonly string[], options: LoadOptions): Promise<Loaded> {
  const suites: Suite[] = [];
  const diagnostics: Diagnostic[] = [];
  for await (const part of loadEach(targets, options)) {
    suites.push(...part.suites);
    diagnostics.push(...part.diagnostics);
  }
  return { suites, diagnostics };
}

/** As `loadTargets`, piece by piece and without keeping any, for those who look at thousands of skills in passing. */
export async function* loadEach(
  targets: readonly string[],
  options: LoadOptions,
): AsyncGenerator<Loaded, void> {
  const unsaid = saidOnce();
  const found: Diagnostic[] = [];
  const subjects = await discover(
    targets.length === 0 ? ["."] : targets,
    options,
    (one) => void found.push(one),
  );
  yield { suites: [], diagnostics: unsaid(found) };
  const loading: Loading = {
    options,
    findEvals: evalsFinder(),
    findProjectRoot: projectRootFinder(options.home, options.projectRoot),
    loadedFiles: new Set(),
  };
  const named = distinctNames(options.cwd);
  const gaps: Gap[] = [];
  for (const part of parts(subjects)) {
    const outcomes = await mapConcurrently(part, SUBJECTS_AT_ONCE, (subject) =>
      loadSubject(subject, loading),
    );
    for (const { merged, gap, diagnostics } of outcomes) {
      if (gap !== null) gaps.push(gap);
      const { suite, note } = merged === null ? { suite: null, note: null } : named(merged);
      yield {
        suites: suite === null ? [] : [suite],
        diagnostics: unsaid(note === null ? diagnostics : [...diagnostics, note]),
      };
    }
  }
  yield { suites: [], diagnostics: gapNotes(gaps) };
}

/** Leaves out what was said before about files and directories that several skills, or search and lint, came across. */
function saidOnce(): (diagnostics: readonly Diagnostic[]) => readonly Diagnostic[] {
  const said = new Set<string>();
  return (diagnostics) =>
    diagnostics.filter(({ code, at, message }) => {
      if (!code.startsWith("file/")) return true;
      const key = `${code} ${at?.file}:${at?.line}:${at?.column} ${message}`;
      return !said.has(key) && said.add(key);
    });
}

interface Loading {
  readonly options: LoadOptions;
  readonly findEvals: ReturnType<typeof evalsFinder>;
  readonly findProjectRoot: FindProjectRoot;
  /** So that evals a skill has claimed are not loaded again by themselves. */
  readonly loadedFiles: Set<string>;
}

/** Skills come first, so that they claim their evals. */
function* parts(subjects: readonly LoadSubject[]): Generator<readonly LoadSubject[], void> {
  for (const hasSkill of [true, false]) {
    const wave = subjects.filter((subject) => (subject.skillFile !== null) === hasSkill);
    for (let start = 0; start < wave.length; start += SUBJECTS_HELD) {
      yield wave.slice(start, start + SUBJECTS_HELD);
    }
  }
}

interface Outcome {
  readonly merged: Suite | null;
  readonly gap: Gap | null;
  readonly diagnostics: readonly Diagnostic[];
}

async function loadSubject(subject: LoadSubject, loading: Loading): Promise<Outcome> {
  const { options, loadedFiles } = loading;
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const document = subject.skillFile === null ? null : await readSkillDocument(subject.skillFile, report);
  if (document !== null) diagnostics.push(...(await skillDiagnostics(document, options.lint)));
  const skill = document?.skill ?? null;
  const start = skill?.root ?? subject.files[0]?.evalsDirectory ?? options.cwd;
  const projectRoot = loading.findProjectRoot(start);
  const around = await filesAround(subject, { document, projectRoot, report, loading });
  const files = [...around, ...subject.files].filter(({ path }) => !loadedFiles.has(path));
  for (const { path } of files) loadedFiles.add(path);
  const unmapped = new UnmappedFields();
  const read = await mapConcurrently(files, FILES_AT_ONCE, async (found) => {
    const own: Diagnostic[] = [];
    const { formats = READABLE_FORMATS, furtherFormats = [], furtherJudges = [], signal } = options;
    const further = { furtherFormats, furtherJudges, ...(signal && { signal }) };
    const context = { formats, ...further, skill, projectRoot, unmapped };
    const evalFile = await loadEvalFile(found, { ...context, report: (one) => void own.push(one) });
    return { evalFile, own };
  });
  for (const { own } of read) diagnostics.push(...own);
  unmapped.report(report);
  const evalFiles = read.flatMap(({ evalFile }) => (evalFile === null ? [] : [evalFile]));
  if (skill === null && evalFiles.length === 0) {
    if (files.length > 0 && diagnostics.every(({ severity }) => severity !== "error"))
      report(noEvalAmong(files));
    return { merged: null, gap: null, diagnostics };
  }
  const merged = mergeSuite(suiteName(subject, document, evalFiles), skill, evalFiles);
  if (options.lint !== null)
    diagnostics.push(
      ...(await contaminationNotes(merged)),
      ...(await implicitNotes(merged)),
      ...evalProgramNotes(merged),
    );
  const gap = gapOf(merged, { hadFiles: files.length > 0, amongMany: subject.amongMany });
  return { merged, gap, diagnostics };
}

async function skillDiagnostics(
  document: SkillDocument,
  lint: Profile | null,
): Promise<readonly Diagnostic[]> {
  if (lint === null) return frontmatterDiagnostics(document);
  return [...(await lintSkill(document, { profile: lint })), ...(await scanSkill(document))];
}

async function filesAround(
  { lookAround, skillFile }: LoadSubject,
  context: {
    document: SkillDocument | null;
    projectRoot: string | null;
    report: (diagnostic: Diagnostic) => void;
    loading: Loading;
  },
): Promise<FoundFile[]> {
  if (lookAround === null) return [];
  const { document, projectRoot, report, loading } = context;
  const center = lookAround === skillFile ? document : await readSkillDocument(lookAround, report);
  return center === null ? [] : loading.findEvals(center.skill, { projectRoot, report });
}

function noEvalAmong(files: readonly FoundFile[]): Diagnostic {
  return {
    severity: "error",
    code: "load/nothing-found",
    message: "no eval file found here",
    at: { file: files[0]?.evalsDirectory ?? "", line: 1, column: 1 },
    hint: "pass a skill, a directory with skills, or an eval file; assay init writes a first case for a skill",
  };
}

/** A Skillet file that is in no set says itself what it is about. */
function suiteName(subject: LoadSubject, document: SkillDocument | null, files: readonly EvalFile[]): string {
  const declared = files.map(({ skillName }) => skillName).find((name) => name !== null && name !== "");
  const ofCase = files[0]?.cases[0]?.name ?? "";
  return document?.skill.name ?? declared ?? (subject.name || ofCase || "evals");
}
