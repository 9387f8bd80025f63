import { existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Skill } from "../domain/skill.ts";
import type { ReadableName } from "../domain/suite.ts";
import { memo } from "../lib/memo.ts";
import { glance } from "../lib/glance.ts";
import { caseFileIn, caseFilesBelow } from "./case-folders.ts";
import { isInside, listDirectory, type DirectoryListing, walk } from "./directory.ts";
import { bmadDirectory } from "./formats/bmad/surroundings.ts";

type Report = (diagnostic: Diagnostic) => void;

/** A file that is, or may be, an eval file. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** The format that this name at this place speaks for; the content has the last word. */
  readonly expected: ReadableName;
  /** Absolute directory of the eval set the file belongs to. */
  readonly evalsDirectory: string;
  /** Other files lie in evals directories too: one that no format knows is worth a note, not an error. */
  readonly optional: boolean;
  /** The user named the file itself, and not a directory it is in. */
  readonly isNamed: boolean;
}

/** The file as a user names it. */
export async function evalFileAt(path: string, skillRoot: string | null, report: Report): Promise<FoundFile> {
  const evalsDirectory = dirname(path);
  const expected =
    formatByName(basename(path)) ??
    (isYaml(path)
      ? yamlFormats()(path)
      : await formatByPlace(await listDirectory(evalsDirectory, report), skillRoot));
  return { path, expected, evalsDirectory, optional: false, isNamed: true };
}

/** The eval files of an evals directory: JSON beside each other, or else Skillet's YAML at any depth. */
export async function evalFilesIn(
  directory: string,
  skillRoot: string | null,
  report: Report,
): Promise<FoundFile[]> {
  const listing = await listDirectory(directory, report);
  const cases =
    listing.directories.length > 0 || caseFileIn(listing) !== null ? await caseFilesBelow(directory) : [];
  const below = isEvalsDirectory(listing) ? [] : await yamlFilesBelow(directory, report);
  const configs = below.filter((path) => formatByName(basename(path)) === "promptfoo");
  // Other files beside it are what a configuration of promptfoo is made of.
  const yaml = configs.length > 0 ? configs : below;
  const json = listing.files.filter(
    (name) =>
      /\.json$/i.test(name) &&
      !isResultFile(name) &&
      caseFileIn(listing) === null &&
      (configs.length === 0 || CONVENTIONAL.includes(name) || formatByName(name) !== null),
  );
  const yamlFormat = yamlFormats();
  const expected = json.length === 0 ? "skillet" : await formatByPlace(listing, skillRoot);
  const found = (path: string, optional: boolean): FoundFile => ({
    path,
    expected: formatByName(basename(path)) ?? (isYaml(path) ? yamlFormat(path) : expected),
    evalsDirectory: directory,
    optional,
    isNamed: false,
  });
  return [
    ...cases,
    ...byImportance(json).map((name) => found(join(directory, name), !CONVENTIONAL.includes(name))),
    ...yaml.map((path) => found(path, json.length > 0)),
  ];
}

/** Does the directory hold a file that by its name alone makes it an evals directory? */
export function isEvalsDirectory(listing: DirectoryListing): boolean {
  return listing.files.some((name) => CONVENTIONAL.includes(name));
}

/** Does the name alone make a file an eval file? */
export function isEvalFileName(name: string): boolean {
  return CONVENTIONAL.includes(name) || formatByName(name) !== null || isYaml(name);
}

/**
 * clauditor's file for a skill. Only one counts, as only one is read by clauditor itself: the one beside the skill
 * file before the one in `assets/`. The others get a note.
 */
export async function clauditorFiles(skill: Skill, report: Report): Promise<FoundFile[]> {
  const [first, ...others] = await specsOf(skill, report);
  if (first === undefined) return [];
  for (const path of others) {
    report({
      severity: "note",
      code: "load/second-spec",
      message: `ignored, because ${basename(first)} beside the skill takes precedence`,
      at: { file: path, line: 1, column: 1 },
      hint: "keep one of the two, or pass this one with --evals",
    });
  }
  return [
    { path: first, expected: "clauditor", evalsDirectory: dirname(first), optional: false, isNamed: false },
  ];
}

async function specsOf(skill: Skill, report: Report): Promise<string[]> {
  if (skill.layout === "command") {
    const path = skill.file.replace(/\.[^./\\]*$/, ".eval.json");
    const there = await access(path).then(
      () => true,
      () => false,
    );
    return there ? [path] : [];
  }
  const names = ["SKILL", skill.name, basename(skill.root)].map((name) => `${name}.eval.json`);
  const beside = await listDirectory(skill.root, report);
  const assets = beside.directories.includes("assets")
    ? await listDirectory(join(skill.root, "assets"), report)
    : null;
  const paths = [beside, assets].flatMap((listing) =>
    listing === null
      ? []
      : names.filter((name) => listing.files.includes(name)).map((name) => join(listing.directory, name)),
  );
  return [...new Set(paths)];
}

const CONVENTIONAL = ["evals.json", "triggers.json", "cases.json"];

/** Tools leave these beside evals; they hold results. */
function isResultFile(name: string): boolean {
  return /^(?:eval_metadata|grading|benchmark|timing|metrics|history|feedback|comparison|analysis|run|summary|triggers-result|execution-summary)\.json$/.test(
    name,
  );
}

function byImportance(names: readonly string[]): string[] {
  const rank = (name: string) =>
    (CONVENTIONAL.indexOf(name) + CONVENTIONAL.length + 1) % (CONVENTIONAL.length + 1);
  return names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function formatByName(name: string): ReadableName | null {
  if (/\.eval\.json$/i.test(name)) return "clauditor";
  if (/^promptfooconfig\b.*\.(?:json|ya?ml)$/i.test(name)) return "promptfoo";
  if (/^case\.ya?ml$/i.test(name) || /^prompt\.md$/i.test(name)) return "claude-plugin";
  return null;
}

/** BMad's directories have overlays or triggers.json, or lie outside the skill; the others are skill-creator's. */
async function formatByPlace(
  { directory, files, directories }: DirectoryListing,
  skillRoot: string | null,
): Promise<"bmad" | "skill-creator"> {
  if (skillRoot !== null && !isInside(directory, skillRoot)) return "bmad";
  if (files.includes("triggers.json")) return "bmad";
  return directories.length > 0 && (await bmadDirectory(directory)).overlays ? "bmad" : "skill-creator";
}

const MAX_CATEGORY_DEPTH = 8;

async function yamlFilesBelow(directory: string, report: Report): Promise<string[]> {
  const paths: string[] = [];
  await walk(directory, {
    report,
    maxDepth: MAX_CATEGORY_DEPTH,
    visit(listing) {
      if (caseFileIn(listing) !== null) return false;
      for (const name of listing.files) if (isYaml(name)) paths.push(join(listing.directory, name));
      return !isFixtures(listing.directory);
    },
  });
  return paths;
}

/** What Sentry's Skillet lays into workspaces. */
function isFixtures(directory: string): boolean {
  return basename(directory) === "fixtures" && existsSync(join(directory, "..", "cases"));
}

function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

/** What YAML files seem to be: those of one folder are of one kind, so that only the first of each is looked at. */
function yamlFormats(): (path: string) => "skillet" | "sentry-skillet" {
  return memo(
    (path: string) => (/^behaviou?r:/m.test(glance(path)) ? "sentry-skillet" : "skillet"),
    (path) => dirname(path),
  );
}
