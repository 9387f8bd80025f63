import { createHash } from "node:crypto";
import { join } from "node:path";
import { isCanary } from "../domain/canary.ts";
import type { Case } from "../domain/suite.ts";
import type { Trial } from "../domain/trial.ts";

/**
 * Every path of the result folder, in one place. It is skill-creator's workspace layout, so that its own aggregator
 * and viewer read an iteration; what is ours alone lies where they do not look. Its aggregator takes every folder here
 * for an eval, and every folder in that for an arm if it holds a grading.json or anything called run-*.
 *
 *     .assay/
 *       schemas/config.json  (for editors)  running/  (calls that are at work: links to the sockets they listen on)
 *       served/<digest>/<skill>/  (skills that MCP servers serve)
 *       captures/  cassettes/  comparisons/<digest>/ (of single runs and texts; as those below grading/)
 *       imports/<series>/  (as <suite>/: what other tools left, in this form)  earlier/iteration-N.K/  (before it changed)
 *       <suite>/
 *         iteration-N/
 *           run.json  journal.jsonl  runner.lock
 *           eval-<id>[-<slug>]/
 *             eval_metadata.json
 *             <variant>/
 *               eval_metadata.json
 *               run-K/
 *                 outputs/ (files, metrics.json, FILES.md)  inputs/  before/
 *                 output.txt  output.jsonl  transcript.jsonl  transcript.md  session/
 *                 grading.json  timing.json  assertions.json  extraction.json
 *           triggers/{qNNN,canary}/<variant>/run-K/   (no outputs/, so that skill-creator's viewer does not show them)
 *           attempts/<run>/K/                     (left-out attempts; outputs/ is called files/ there)
 *           triggers.json  benchmark.json  benchmark.md  summary.json  report.html  feedback.json  votes.json
 *         grading/{vN-vs-vM,iteration-N-vs-iteration-M}/
 *           assignment.json  comparison-K.json  replies-K.json  outcome.json  human.json  analysis.json
 *         vN/  META.yaml  skill/
 *         description.json  descriptions/<digest>/skill/   (of the description, and what was tried)
 *         improve.lock  earlier-N/                          (a history that was set aside)
 *         skills/<digest>/
 *         history.json  trend.jsonl
 */
export interface ProjectFolder {
  readonly root: string;
  /** What is quicker to look up than to find out again: file digests of projects. */
  readonly cache: string;
  readonly captures: string;
  /** Holds a file for each call that is at work. */
  readonly running: string;
  /** Of what belongs to no two iterations. */
  readonly comparison: (digest: string) => ComparisonFolder;
  readonly cassettes: string;
  /** Holds a skill that a server serves, as it was when it had this digest. */
  readonly served: (sha256: string) => string;
  readonly suite: (name: string) => SuiteFolder;
  /** Of a workspace of another tool. */
  readonly imported: (name: string) => SuiteFolder;
}

export interface SuiteFolder {
  readonly root: string;
  readonly history: string;
  readonly trend: string;
  readonly iteration: (number: number) => IterationFolder;
  /** Of two iterations. */
  readonly comparison: (newer: number, older: number) => ComparisonFolder;
  /** Of two versions that improve mode made; they are counted apart from iterations. */
  readonly versionComparison: (newer: number, older: number) => ComparisonFolder;
  readonly version: (number: number) => VersionFolder;
  /** The skill as iterations ran it, by its digest: the project's own goes on changing. */
  readonly skill: (sha256: string) => string;
  readonly description: string;
  /** The skill with one of the descriptions that were tried. */
  readonly described: (digest: string) => string;
  readonly improveLock: string;
  /** Where the n-th history that was set aside lies. */
  readonly earlier: (number: number) => string;
}

export interface IterationFolder {
  readonly root: string;
  readonly manifest: string;
  readonly journal: string;
  readonly lock: string;
  readonly triggers: string;
  readonly benchmark: string;
  readonly benchmarkText: string;
  readonly summary: string;
  readonly report: string;
  readonly feedback: string;
  /** Which answers people preferred without knowing whose they were. */
  readonly votes: string;
  /** Where an attempt that was left out is set aside, as evidence. */
  readonly attempt: (runFolder: string, attempt: number) => string;
  /** Of a folder name from `caseFolders`. */
  readonly case: (folder: string) => CaseFolder;
  /** Of a relative run folder from `runFolderOf` or a trial-finished event. */
  readonly run: (folder: string) => RunFolder;
}

export interface CaseFolder {
  readonly root: string;
  readonly metadata: string;
  readonly variantMetadata: (variant: string) => string;
}

export interface RunFolder {
  readonly root: string;
  readonly outputs: string;
  readonly inputs: string;
  /** What the run modified or deleted, as it was before; there only where it did. */
  readonly before: string;
  /** The text that text checks read. */
  readonly outputText: string;
  /** The agent program's own stream. */
  readonly rawStream: string;
  readonly transcript: string;
  readonly transcriptText: string;
  /** Holds the agent program's own record of its session, where it keeps one. */
  readonly session: string;
  readonly metrics: string;
  /** The answer and the files, where skill-creator's viewer would show nothing or only a part. */
  readonly listing: string;
  readonly timing: string;
  readonly grading: string;
  readonly assertions: string;
  readonly extraction: string;
}

export interface ComparisonFolder {
  readonly root: string;
  /** Which version is A and which is B; written before anybody judges. */
  readonly assignment: string;
  /** Of the k-th judgement of the comparison, as its assignment numbers them. */
  readonly comparison: (number: number) => string;
  /** What the judge replied to both orders. */
  readonly replies: (number: number) => string;
  /** What all judgements come to. */
  readonly outcome: string;
  readonly human: string;
  readonly analysis: string;
}

interface VersionFolder {
  readonly root: string;
  readonly meta: string;
  readonly skill: string;
}

/** Holds what other tools left. */
export const IMPORTS = "imports";
/** In an import: what a newer one replaced. */
export const EARLIER = "earlier";

/** `root` is the `.assay` folder itself. */
export function projectFolder(root: string): ProjectFolder {
  return {
    root,
    cache: join(root, "cache"),
    captures: join(root, "captures"),
    running: join(root, "running"),
    comparison: (digest) => comparisonFolder(join(root, "comparisons", digest)),
    cassettes: join(root, "cassettes"),
    served: (sha256) => join(root, "served", sha256.slice(0, 16)),
    suite: (name) => suiteFolder(join(root, suiteFolderName(name))),
    imported: (name) => suiteFolder(join(root, IMPORTS, name)),
  };
}

export function suiteFolder(root: string): SuiteFolder {
  return {
    root,
    history: join(root, "history.json"),
    trend: join(root, "trend.jsonl"),
    iteration: (number) => iterationFolder(join(root, `iteration-${number}`)),
    comparison: (newer, older) =>
      comparisonFolder(join(root, "grading", `iteration-${newer}-vs-iteration-${older}`)),
    versionComparison: (newer, older) => comparisonFolder(join(root, "grading", `v${newer}-vs-v${older}`)),
    version: (number) => versionFolder(join(root, `v${number}`)),
    description: join(root, "description.json"),
    described: (digest) => join(root, "descriptions", digest.slice(0, 12), "skill"),
    improveLock: join(root, "improve.lock"),
    earlier: (number) => join(root, `earlier-${number}`),
    skill: (sha256) => join(root, "skills", sha256.slice(0, 16)),
  };
}

export function iterationFolder(root: string): IterationFolder {
  return {
    root,
    manifest: join(root, "run.json"),
    journal: join(root, "journal.jsonl"),
    lock: join(root, "runner.lock"),
    triggers: join(root, "triggers.json"),
    benchmark: join(root, "benchmark.json"),
    benchmarkText: join(root, "benchmark.md"),
    summary: join(root, "summary.json"),
    report: join(root, "report.html"),
    feedback: join(root, "feedback.json"),
    votes: join(root, "votes.json"),
    attempt: (runFolder, attempt) => join(root, "attempts", runFolder.replaceAll("/", "~"), String(attempt)),
    case: (folder) => caseFolder(join(root, ...folder.split("/"))),
    run: (folder) => runFolder(join(root, ...folder.split("/"))),
  };
}

function caseFolder(root: string): CaseFolder {
  return {
    root,
    metadata: join(root, "eval_metadata.json"),
    variantMetadata: (variant) => join(root, variant, "eval_metadata.json"),
  };
}

export function runFolder(root: string): RunFolder {
  return {
    root,
    outputs: join(root, "outputs"),
    inputs: join(root, "inputs"),
    before: join(root, "before"),
    outputText: join(root, "output.txt"),
    rawStream: join(root, "output.jsonl"),
    transcript: join(root, "transcript.jsonl"),
    transcriptText: join(root, "transcript.md"),
    session: join(root, "session"),
    metrics: join(root, "outputs", "metrics.json"),
    listing: join(root, "outputs", "FILES.md"),
    timing: join(root, "timing.json"),
    grading: join(root, "grading.json"),
    assertions: join(root, "assertions.json"),
    extraction: join(root, "extraction.json"),
  };
}

export function comparisonFolder(root: string): ComparisonFolder {
  return {
    root,
    assignment: join(root, "assignment.json"),
    comparison: (number) => join(root, `comparison-${number}.json`),
    replies: (number) => join(root, `replies-${number}.json`),
    outcome: join(root, "outcome.json"),
    human: join(root, "human.json"),
    analysis: join(root, "analysis.json"),
  };
}

function versionFolder(root: string): VersionFolder {
  return { root, meta: join(root, "META.yaml"), skill: join(root, "skill") };
}

/**
 * The folder of each case, relative to the iteration. A case that had one in `earlier` keeps it, and no two share one,
 * also where the file system does not tell capitals: a resumed iteration must not mix up what is there.
 */
export function caseFolders(
  cases: readonly Case[],
  earlier: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const taken = new Set([...earlier.values()].map((folder) => folder.toLowerCase()));
  const folders = new Map<string, string>();
  let query = 0;
  for (const one of cases) {
    if (one.kind === "trigger" && !isCanary(one)) query++;
    const wanted = isCanary(one)
      ? "triggers/canary"
      : one.kind === "trigger"
        ? queryFolder(query)
        : evalFolder(one);
    const folder = earlier.get(one.id) ?? firstFree(wanted, taken);
    taken.add(folder.toLowerCase());
    folders.set(one.id, folder);
  }
  return folders;
}

/** Relative to the iteration, with forward slashes. */
export function runFolderOf(caseFolder: string, trial: Pick<Trial, "variant" | "repetition">): string {
  return `${caseFolder}/${trial.variant}/run-${trial.repetition}`;
}

/**
 * skill-creator's numeric `eval_id` of each task case: its declared id where that is an integer; the others get the numbers
 * after the largest, because its tools cannot sort ids of two types.
 */
export function evalIds(cases: readonly Case[]): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  const tasks = cases.filter((one) => one.kind === "task");
  const taken = new Set<number>();
  for (const { id, declaredId } of tasks) {
    if (typeof declaredId !== "number" || !Number.isInteger(declaredId) || taken.has(declaredId)) continue;
    taken.add(declaredId);
    ids.set(id, declaredId);
  }
  let next = Math.max(0, ...taken) + 1;
  for (const { id } of tasks) if (!ids.has(id)) ids.set(id, next++);
  return ids;
}

/** A skill's name as a folder; names that would be ours or unsafe get an underscore, which skill names never have. */
export function suiteFolderName(name: string): string {
  if (RESERVED.has(name.toLowerCase())) return `${name}_`;
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) && !name.endsWith(".")) return name;
  return `${slug(name, 60) || "skill"}_${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}

/** Lower-case words joined by hyphens; empty when nothing is left. */
export function slug(text: string, maxLength = 40): string {
  const words = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  return words.slice(0, maxLength).replaceAll(/^-+|-+$/g, "");
}

const RESERVED = new Set([
  "cache",
  "captures",
  "cassettes",
  "comparisons",
  IMPORTS,
  "running",
  "schemas",
  "served",
  "con",
  "prn",
  "aux",
  "nul",
]);

function evalFolder(one: Case): string {
  const name = one.name === null ? "" : slug(one.name);
  return name === "" || name === slug(one.id) ? `eval-${one.id}` : `eval-${one.id}-${name}`;
}

function queryFolder(ordinal: number): string {
  return `triggers/q${String(ordinal).padStart(3, "0")}`;
}

function firstFree(wanted: string, taken: ReadonlySet<string>): string {
  let folder = wanted;
  for (let n = 2; taken.has(folder.toLowerCase()); n++) folder = `${wanted}_${n}`;
  return folder;
}
