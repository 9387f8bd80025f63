import { realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { nearest } from "../lib/nearest.ts";
import { bundleFinder, skillInBundle } from "./bundle.ts";
import { bundleSubjects } from "./bundle-subjects.ts";
import { caseFileIn } from "./case-folders.ts";
import { isInside, listDirectory } from "./directory.ts";
import { evalFileAt, evalFilesIn, type FoundFile, isEvalsDirectory } from "./eval-files.ts";
import { discoverMany } from "./discover-many.ts";
import { skillAround } from "./find-skill.ts";
import { type FindProjectRoot, projectRootFinder } from "./project-root.ts";
import { skillFileName } from "./skill.ts";
import { skilletFileSubject, skilletSubjects } from "./skillet-sets.ts";
import { evalsSubject, skillSubject, type LoadSubject } from "./subject.ts";

export interface DiscoverOptions {
  /** Absolute; targets are relative to it. */
  readonly cwd: string;
  /** Eval file or directory to use in place of what would be found. */
  readonly evals: string | null;
  /** Skill to test in place of what would be found. */
  readonly skill: string | null;
  /** Where Skillet keeps its evals; null means `.skillet` in the home directory. */
  readonly skilletDir: string | null;
  readonly home: string | null;
  /** The project of everything, absolute; absent or null: the one each skill is in. */
  readonly projectRoot?: string | null;
}

interface Search extends DiscoverOptions {
  readonly findProjectRoot: FindProjectRoot;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** What the targets name, in order, each skill once; a target that names nothing is reported. */
export async function discover(
  targets: readonly string[],
  options: DiscoverOptions,
  report: (diagnostic: Diagnostic) => void,
): Promise<LoadSubject[]> {
  const search = {
    ...options,
    report,
    findProjectRoot: projectRootFinder(options.home, options.projectRoot),
  };
  const found: LoadSubject[] = [];
  for (const target of targets) found.push(...(await discoverTarget(target, search)));
  const chosen = options.evals === null ? found : await withEvals(options.evals, found, search);
  const skillFile = options.skill === null ? null : resolve(options.cwd, options.skill);
  if (targets.length === 1 && skillFile === null) return chosen;
  return joinSubjects(skillFile === null ? chosen : chosen.map((subject) => about(skillFile, subject)));
}

async function discoverTarget(target: string, search: Search): Promise<LoadSubject[]> {
  const path = resolve(search.cwd, target);
  try {
    return (await stat(path)).isDirectory() ? await inDirectory(path, search) : await atFile(path, search);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return ofSkillet(target, search);
    refuse(search, {
      code: code === "ELOOP" ? "file/symlink-loop" : "file/unreadable",
      path,
      message: code === "ELOOP" ? "its symlinks form a loop" : `cannot be read: ${message}`,
      hint: null,
    });
    return [];
  }
}

async function inDirectory(path: string, search: Search): Promise<LoadSubject[]> {
  const listing = await listDirectory(path, search.report);
  const skillFile = skillFileName(listing.files);
  if (skillFile !== null) return [skillSubject(join(path, skillFile))];
  if (isEvalsDirectory(listing) || caseFileIn(listing) !== null) return evalsDirectory(path, search);
  const many = await discoverMany(path, search);
  if (many.length > 0) return many;
  const subjects = await evalsDirectory(path, search);
  if (subjects.length > 0) return subjects;
  refuse(search, {
    code: "load/nothing-found",
    path,
    message: "no skill or eval file found here",
    hint: "pass a SKILL.md, a directory with skills, or an eval file",
  });
  return [];
}

async function atFile(path: string, search: Search): Promise<LoadSubject[]> {
  const extension = extname(path).toLowerCase();
  const inCase = await caseSubjects(path, search);
  if (inCase !== null) return inCase;
  if (extension === ".md") return [skillSubject(path)];
  if (extension === ".yaml" || extension === ".yml") {
    const file = await evalFileAt(path, null, search.report);
    if (file.expected === "skillet") return [skilletFileSubject(file)];
    return [evalsSubject(stem(path), await skillOf(path, search), [file])];
  }
  if (extension === ".json") {
    const skillFile = await skillOf(path, search);
    const file = await evalFileAt(path, skillFile === null ? null : dirname(skillFile), search.report);
    return [evalsSubject(stem(path), skillFile, [file])];
  }
  refuse(search, {
    code: "load/unknown-target",
    path,
    message: "this is neither a skill (.md) nor an eval file (.json, .yaml)",
    hint: "pass the skill, its directory, or an eval file",
  });
  return [];
}

/** A file of a folder that is a case stands for it; null: it is in none, or is a skill. */
async function caseSubjects(path: string, search: Search): Promise<LoadSubject[] | null> {
  if (skillFileName([basename(path)]) !== null) return null;
  const listing = await listDirectory(dirname(path), search.report);
  const file = caseFileIn(listing, { ofPlugin: true });
  if (file === null || !OF_A_CASE.test(basename(path))) return null;
  const named = /\.md$/i.test(path) && file.expected === "tessl" ? file.path : path;
  const found = /^criteria\.json$|^task\.md$/i.test(basename(path))
    ? { ...file, path: named }
    : { ...file, path };
  const bundle = await bundleFinder(search.report)(path);
  const evalsDirectory =
    bundle !== null && isInside(path, bundle.evalsDirectory) ? bundle.evalsDirectory : dirname(path);
  const skillFile = skillInBundle(bundle, dirname(path)) ?? (await skillOf(path, search));
  const name = basename(bundle?.root ?? dirname(path));
  return [evalsSubject(name, skillFile, [{ ...found, evalsDirectory, optional: false, isNamed: true }])];
}

const OF_A_CASE = /^(?:prompt\.md|case\.ya?ml|task\.md|criteria\.json)$/i;

/** Skillet's YAML says nothing about its skill, so that one is taken from where JSON lies only. */
async function evalsDirectory(path: string, search: Search): Promise<LoadSubject[]> {
  const files = await evalFilesIn(path, null, search.report);
  const bundle = await bundleFinder(search.report)(path);
  if (bundle !== null && isInside(path, bundle.evalsDirectory) && files.some(isCaseFolder)) {
    const others = files.filter((file) => !isCaseFolder(file));
    return [
      ...bundleSubjects(bundle, files.filter(isCaseFolder)),
      ...(others.length === 0
        ? []
        : [evalsSubject(basename(bundle.root), await skillOf(path, search), others)]),
    ];
  }
  if (files.every((file) => file.expected === "skillet")) return skilletSubjects(path, files);
  const name = basename(path) === "evals" ? basename(dirname(path)) : basename(path);
  const skillFile = await skillOf(path, search);
  const root = skillFile === null ? null : dirname(skillFile);
  return [
    evalsSubject(name, skillFile, root === null ? files : await evalFilesIn(path, root, search.report)),
  ];
}

function isCaseFolder({ expected }: FoundFile): boolean {
  return expected === "claude-plugin" || expected === "tessl";
}

async function skillOf(path: string, { findProjectRoot }: Search): Promise<string | null> {
  return skillAround(path, findProjectRoot(dirname(path)));
}

/** A name that is no path here may be that of an eval set in Skillet's own directory, or of a part of one. */
async function ofSkillet(target: string, search: Search): Promise<LoadSubject[]> {
  const path = resolve(search.cwd, target);
  const base = search.skilletDir ?? (search.home === null ? null : join(search.home, ".skillet"));
  const sets = base === null ? null : resolve(search.cwd, base, "evals");
  const inSets = sets !== null && isSetName(target) ? join(sets, target) : null;
  if (inSets !== null) {
    const subjects = skilletSubjects(inSets, await evalFilesIn(inSets, null, search.report));
    if (subjects.length > 0) return subjects;
  }
  const around = [path, ...(inSets === null ? [] : [inSets])].map((one) => dirname(one));
  const listings = await Promise.all(around.map((one) => listDirectory(one, search.report)));
  const near = nearest(
    basename(path),
    listings.flatMap(({ directories, files }) => [...directories, ...files]),
  );
  refuse(search, {
    code: "load/no-such-target",
    path,
    message: "no such file or directory",
    hint:
      near === null
        ? "pass a skill, an eval file, a directory with skills in it, or a Skillet name"
        : `did you mean ${JSON.stringify(join(dirname(target), near))}?`,
  });
  return [];
}

function isSetName(target: string): boolean {
  return !isAbsolute(target) && target.split(/[/\\]/).every((part) => !["", ".", ".."].includes(part));
}

/** The evals the user named, in place of what lies around: for one skill, or below it one directory per skill. */
async function withEvals(
  evals: string,
  found: readonly LoadSubject[],
  search: Search,
): Promise<LoadSubject[]> {
  const path = resolve(search.cwd, evals);
  const chosen: LoadSubject[] = [];
  const isFile = await stat(path)
    .then((stats) => !stats.isDirectory())
    .catch(() => null);
  for (const subject of found) {
    const root = subject.skillFile === null ? null : dirname(subject.skillFile);
    const own = root === null ? [] : await evalFilesIn(join(path, basename(root)), root, search.report);
    const files = own.length > 0 || found.length > 1 ? own : await filesAt(path, isFile, root, search);
    chosen.push({ ...subject, files, lookAround: null });
  }
  if (found.length > 0 && chosen.every((subject) => subject.files.length === 0)) {
    refuse(search, {
      code: isFile === null ? "load/no-such-target" : "load/nothing-found",
      path,
      message: isFile === null ? "no such eval file or directory" : "no eval file for the skill found here",
      hint: found.length > 1 ? "for several skills, put one directory per skill in it" : null,
    });
  }
  return chosen;
}

async function filesAt(
  path: string,
  isFile: boolean | null,
  root: string | null,
  { report }: Search,
): Promise<FoundFile[]> {
  if (isFile === null) return [];
  return isFile ? [await evalFileAt(path, root, report)] : evalFilesIn(path, root, report);
}

function about(skillFile: string, subject: LoadSubject): LoadSubject {
  return { ...subject, skillFile };
}

/** Targets that name one skill twice make one subject with the files of both. */
async function joinSubjects(subjects: readonly LoadSubject[]): Promise<LoadSubject[]> {
  const joined = new Map<string, LoadSubject>();
  for (const subject of subjects) {
    const { skillFile, files } = subject;
    const key =
      skillFile === null ? `evals:${files[0]?.path}` : await realpath(skillFile).catch(() => skillFile);
    const before = joined.get(key);
    joined.set(key, before === undefined ? subject : union(before, subject));
  }
  return [...joined.values()];
}

function union(one: LoadSubject, other: LoadSubject): LoadSubject {
  const known = new Set(one.files.map((file) => file.path));
  return {
    ...one,
    files: [...one.files, ...other.files.filter((file) => !known.has(file.path))],
    lookAround: one.lookAround ?? other.lookAround,
    amongMany: one.amongMany && other.amongMany,
  };
}

function stem(path: string): string {
  return basename(path).replace(/(?:\.eval)?\.[^.]*$/, "");
}

function refuse(
  { report }: Search,
  problem: { code: string; path: string; message: string; hint: string | null },
): void {
  const { code, path, message, hint } = problem;
  report({ severity: "error", code, message, at: { file: path, line: 1, column: 1 }, hint });
}
