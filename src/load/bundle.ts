import { basename, dirname, join, relative } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { parseJson } from "../lib/document/json.ts";
import { valueOf } from "../lib/document/node.ts";
import { memo } from "../lib/memo.ts";
import { glance } from "../lib/glance.ts";
import { pathProblem } from "../lib/relative-path.ts";
import { caseFilesBelow } from "./case-folders.ts";
import { type DirectoryListing, isInside, listDirectory, walk } from "./directory.ts";
import type { FoundFile } from "./eval-files.ts";
import { skillFileName } from "./skill.ts";

/** Several skills that are shipped as one, with evals of their own: a plugin of Claude Code, or a tile of tessl. */
export interface Bundle {
  /** Absolute. */
  readonly root: string;
  readonly evalsDirectory: string;
  /** Absolute paths of their SKILL.md files. */
  readonly skills: readonly string[];
  readonly cases: readonly BundleCase[];
}

interface BundleCase {
  readonly file: FoundFile;
  /** The SKILL.md it is about; null: nothing tells which of several. */
  readonly skillFile: string | null;
}

type Report = (diagnostic: Diagnostic) => void;

const MAX_LEVELS_UP = 6;

/** The bundle that a path is in, each looked at once. */
export function bundleFinder(report: Report): (path: string) => Promise<Bundle | null> {
  const read = memo((root: string) => readBundle(root, report));
  return async (path) => {
    const root = bundleRootAbove(path);
    return root === null ? null : read(root);
  };
}

/** Is the directory one of a plugin or tile? */
export function isBundleRoot({ directory, files, directories }: DirectoryListing): boolean {
  if (files.includes("tile.json") || files.includes("plugin.json")) return true;
  return directories.includes(".claude-plugin") && manifestOf(directory) !== null;
}

/** The skill that the case in a folder is about; null: it is none of the bundle's cases, or names no skill. */
export function skillInBundle(bundle: Bundle | null, folder: string): string | null {
  return bundle?.cases.find(({ file }) => dirname(file.path) === folder)?.skillFile ?? null;
}

function bundleRootAbove(path: string): string | null {
  let at = path;
  for (let level = 0; level < MAX_LEVELS_UP && dirname(at) !== at; level++, at = dirname(at)) {
    if (manifestOf(at) !== null) return at;
  }
  return null;
}

/** The text of the file that makes a directory a bundle. */
function manifestOf(directory: string): { readonly path: string; readonly text: string } | null {
  for (const name of [join(".claude-plugin", "plugin.json"), "plugin.json", "tile.json"]) {
    const path = join(directory, name);
    const text = glance(path);
    if (text !== "") return { path, text };
  }
  return null;
}

async function readBundle(root: string, report: Report): Promise<Bundle> {
  const evalsDirectory = join(root, evalsFolder(root, report));
  const skills = await skillsBelow(root, evalsDirectory);
  const files = await caseFilesBelow(evalsDirectory);
  const cases = await Promise.all(
    files.map(async (file) => ({ file, skillFile: await skillOfCase(file, { evalsDirectory, skills }) })),
  );
  return { root, evalsDirectory, skills, cases };
}

/** `evals`, or what the manifest says under `experimental.evals`. */
function evalsFolder(root: string, report: Report): string {
  const manifest = manifestOf(root);
  const parsed = manifest === null ? null : parseJson(manifest.text);
  if (manifest === null || parsed === null || !parsed.ok) return "evals";
  const experimental = valueOf(parsed.root, "experimental");
  const declared = experimental && valueOf(experimental, "evals");
  if (declared === undefined) return "evals";
  if (declared.kind === "string" && pathProblem(declared.value) === null && !declared.value.includes(".."))
    return declared.value;
  report({
    severity: "note",
    code: "file/bad-manifest",
    message: "experimental.evals is no folder of the plugin, so evals/ is used",
    at: { file: manifest.path, line: 1, column: 1 },
    hint: "name a folder by a relative path, e.g. quality/evals",
  });
  return "evals";
}

const MAX_DEPTH = 5;

async function skillsBelow(root: string, evalsDirectory: string): Promise<readonly string[]> {
  const found: string[] = [];
  await walk(root, {
    report: () => undefined,
    maxDepth: MAX_DEPTH,
    visit(listing) {
      if (isInside(listing.directory, evalsDirectory)) return false;
      const name = skillFileName(listing.files);
      if (name !== null) found.push(join(listing.directory, name));
      return name === null || listing.directory === root;
    },
  });
  return found;
}

/** The only skill, else the one a folder on the way is called like, else the one its graders or its prompt name. */
async function skillOfCase(
  { path }: FoundFile,
  { evalsDirectory, skills }: { evalsDirectory: string; skills: readonly string[] },
): Promise<string | null> {
  const [only, ...more] = skills;
  if (only === undefined || more.length === 0) return only ?? null;
  const folders = new Set(relative(evalsDirectory, dirname(path)).split(/[/\\]/));
  const byFolder = skills.filter((file) => folders.has(nameOf(file)));
  if (byFolder.length === 1) return byFolder[0] ?? null;
  const named = namesIn(await textsOf(dirname(path)), skills);
  return named.length === 1 ? (named[0] ?? null) : null;
}

function nameOf(skillFile: string): string {
  return basename(dirname(skillFile));
}

interface CaseTexts {
  readonly graders: readonly string[];
  readonly prompt: string;
}

/** Graders that ask for a skill name it; a prompt may call it by a slash. */
function namesIn({ graders, prompt }: CaseTexts, skills: readonly string[]): readonly string[] {
  const asking = graders.filter((text) => /\btool:\s*["']?Skill\b/.test(text)).join("\n");
  const byGrader = skills.filter((file) => hasWord(asking, nameOf(file)));
  if (byGrader.length > 0) return byGrader;
  const matches = [...prompt.matchAll(/(?<![\w/])\/(?:[\w-]+:)?([\w-]+)/g)];
  const calls = new Set(matches.map((match) => match[1]));
  return skills.filter((file) => calls.has(nameOf(file)));
}

function hasWord(text: string, word: string): boolean {
  const plain = word.replaceAll(/[^\w-]/g, (char) => `\\${char}`);
  return new RegExp(`(?<![\\w-])${plain}(?![\\w-])`).test(text);
}

async function textsOf(folder: string): Promise<CaseTexts> {
  const { files } = await listDirectory(join(folder, "graders"), () => undefined);
  const graders = files.map((name) => glance(join(folder, "graders", name)));
  const whole = ["case.yaml", "case.yml"].map((name) => glance(join(folder, name)));
  return { graders: [...graders, ...whole], prompt: glance(join(folder, "prompt.md")) };
}
