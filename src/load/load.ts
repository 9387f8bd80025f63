import type { Diagnostic } from "../domain/diagnostic.ts";
import type { EvalFile, Suite } from "../domain/suite.ts";
import { mapConcurrently } from "../lib/concurrent.ts";
import { discover, type DiscoverOptions } from "./discover.ts";
import type { FoundFile } from "./eval-files.ts";
import { evalsFinder } from "./find-evals.ts";
import { BUILT_IN_FORMATS } from "./formats/index.ts";
import { type GapCandidate, gaps } from "./gaps.ts";
import { lintSkill } from "./lint/lint.ts";
import type { Profile } from "./lint/rules.ts";
import { loadEvalFile } from "./load-file.ts";
import { mergeSuite, withDistinctNames } from "./merge.ts";
import { findProjectRoot } from "./project-root.ts";
import type { Formats } from "./recognise.ts";
import { frontmatterDiagnostics, readSkillDocument, type SkillDocument } from "./skill.ts";
import type { Subject } from "./subject.ts";

export interface LoadOptions extends DiscoverOptions {
  /** Lint the skills too; null: only what keeps a skill from being read is reported. */
  readonly lint: Profile | null;
  readonly formats?: Formats;
}

export interface Loaded {
  /** One per skill, or per set of evals whose skill is not known; in the order of the targets. */
  readonly suites: readonly Suite[];
  /** Everything there is to say about all files, in the same order. */
  readonly diagnostics: readonly Diagnostic[];
}

const SUBJECTS_AT_ONCE = 16;
const FILES_AT_ONCE = 16;

/** Reads everything the targets name, each file once. What is wrong with the files is data; it never throws for that. */
export async function loadTargets(targets: readonly string[], options: LoadOptions): Promise<Loaded> {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const subjects = await discover(targets.length === 0 ? ["."] : targets, options, report);
  const loading: Loading = { options, findEvals: evalsFinder(), loadedFiles: new Set() };
  const outcomes = await loadSubjects(subjects, loading);
  for (const outcome of outcomes) diagnostics.push(...outcome.diagnostics);
  diagnostics.push(...gaps(outcomes));
  const suites = outcomes.flatMap(({ suite }) => (suite === null ? [] : [suite]));
  return { suites: withDistinctNames(suites, { cwd: options.cwd, report }), diagnostics };
}

interface Loading {
  readonly options: LoadOptions;
  readonly findEvals: ReturnType<typeof evalsFinder>;
  /** So that evals a skill has claimed are not loaded again by themselves. */
  readonly loadedFiles: Set<string>;
}

interface Outcome extends GapCandidate {
  readonly diagnostics: readonly Diagnostic[];
}

/** Skills come first, so that they claim their evals; the order of the subjects is kept. */
async function loadSubjects(subjects: readonly Subject[], loading: Loading): Promise<Outcome[]> {
  const outcomes = new Map<Subject, Outcome>();
  for (const hasSkill of [true, false]) {
    const wave = subjects.filter((subject) => (subject.skillFile !== null) === hasSkill);
    await mapConcurrently(wave, SUBJECTS_AT_ONCE, async (subject) => {
      outcomes.set(subject, await loadSubject(subject, loading));
    });
  }
  return subjects.flatMap((subject) => outcomes.get(subject) ?? []);
}

async function loadSubject(subject: Subject, loading: Loading): Promise<Outcome> {
  const { options, loadedFiles } = loading;
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const document = subject.skillFile === null ? null : await readSkillDocument(subject.skillFile, report);
  if (document !== null) diagnostics.push(...(await skillDiagnostics(document, options.lint)));
  const skill = document?.skill ?? null;
  const home = skill?.root ?? subject.files[0]?.evalsDirectory ?? options.cwd;
  const projectRoot = await findProjectRoot(home, options.home);
  const around = await filesAround(subject, { document, projectRoot, report, loading });
  const files = [...around, ...subject.files].filter(({ path }) => !loadedFiles.has(path));
  for (const { path } of files) loadedFiles.add(path);
  const read = await mapConcurrently(files, FILES_AT_ONCE, async (found) => {
    const own: Diagnostic[] = [];
    const context = { formats: options.formats ?? BUILT_IN_FORMATS, skill, projectRoot };
    const evalFile = await loadEvalFile(found, { ...context, report: (one) => void own.push(one) });
    return { evalFile, own };
  });
  for (const { own } of read) diagnostics.push(...own);
  const evalFiles = read.flatMap(({ evalFile }) => (evalFile === null ? [] : [evalFile]));
  const empty = skill === null && evalFiles.length === 0;
  const suite = empty ? null : mergeSuite(suiteName(subject, document, evalFiles), skill, evalFiles);
  return { suite, diagnostics, hadFiles: files.length > 0, amongMany: subject.amongMany };
}

async function skillDiagnostics(
  document: SkillDocument,
  lint: Profile | null,
): Promise<readonly Diagnostic[]> {
  return lint === null ? frontmatterDiagnostics(document) : lintSkill(document, { profile: lint });
}

async function filesAround(
  { lookAround, skillFile }: Subject,
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

function suiteName(subject: Subject, document: SkillDocument | null, files: readonly EvalFile[]): string {
  const declared = files.map(({ skillName }) => skillName).find((name) => name !== null && name !== "");
  return document?.skill.name ?? declared ?? (subject.name || "evals");
}
