import { basename, dirname, relative, resolve } from "node:path";
import { type Diagnostic, hasErrors } from "../domain/diagnostic.ts";
import type { EvalFile, FormatName, Suite } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { loadOptions } from "../engine/load-options.ts";
import { NO_PLUGINS } from "../engine/plugins.ts";
import type { Written } from "../load/format.ts";
import { isInside } from "../load/directory.ts";
import { BUILT_IN_FORMATS, FORMAT_NAMES, IMPORT_NAMES } from "../load/formats/index.ts";
import { loadTargets } from "../load/load.ts";
import type { Machine } from "../machine.ts";
import { choice, flag, text } from "../options/kind.ts";
import { required } from "../options/required.ts";
import { type Given, option, optionOr, settle } from "../options/table.ts";
import { saveFiles } from "./convert/save-files.ts";
import type { Door } from "./door.ts";

/** What `convert` can be told. */
export const CONVERT_OPTIONS = {
  file: option(null, text, "the eval file to rewrite, or a folder of cases in another tool's format"),
  to: option("--to <format>", choice(FORMAT_NAMES), "the format to write"),
  skill: option(
    "--skill <path>",
    text,
    "the skill the file is about, where it cannot be found from the file",
  ),
  output: option(
    "--output <path>",
    text,
    "write here instead of to standard output; a directory where the format needs several files",
  ),
  force: optionOr("--force", { kind: flag, otherwise: false }, "overwrite existing files"),
  lossy: optionOr("--lossy", { kind: flag, otherwise: false }, "write even if something cannot be expressed"),
};
export type ConvertOptions = Given<typeof CONVERT_OPTIONS> & {
  readonly file: string;
  readonly to: FormatName;
};

/** `refused`: the format cannot express all of the file and `lossy` was not given, so nothing was written. */
export type Conversion =
  | { readonly status: "refused"; readonly losses: readonly string[] }
  | {
      readonly status: "converted";
      readonly files: readonly ConvertedFile[];
      /** What the format cannot express, one sentence each. */
      readonly losses: readonly string[];
    };

export interface ConvertedFile {
  /** Relative to `output`, with forward slashes; null: it is the only one. */
  readonly name: string | null;
  readonly text: string;
  /** Absolute; null: no `output` was named, so it was not written. */
  readonly path: string | null;
}

/** Rewrites an eval file in another format. Throws a UserError where the file cannot be read or the output not be written. */
export async function convert(options: ConvertOptions, door: Door): Promise<Conversion> {
  const { machine } = door;
  const settled = settle(CONVERT_OPTIONS, options, { env: machine.env });
  const { file, to, lossy, output, force } = required(settled, ["file", "to"]);
  const own = { plugins: door.config?.plugins ?? NO_PLUGINS, ...(door.signal && { signal: door.signal }) };
  const written = (await BUILT_IN_FORMATS[to]()).write(
    await loadOne(file, loadOptions({ evals: null, skill: settled.skill, ...own }, machine), machine),
  );
  const { losses } = written;
  if (losses.length > 0 && !lossy) return { status: "refused", losses };
  if (losses.length > 0 && written.text.trim() === "") throw nothingLeft(to, losses);
  const files = filesOf(written);
  if (output === null)
    return { status: "converted", files: files.map((one) => ({ ...one, path: null })), losses };
  return { status: "converted", files: await saveFiles(files, { output, force, machine }), losses };
}

async function loadOne(
  given: string,
  options: Parameters<typeof loadTargets>[1],
  { cwd, note }: Machine,
): Promise<EvalFile> {
  const path = resolve(cwd, given);
  const { suites, diagnostics } = await loadTargets([given], options);
  const files = suites.flatMap((suite) => suite.files);
  const file = files.find((candidate) => candidate.path === path) ?? joined(path, suites);
  const isWhole = file?.path === path && files.every((candidate) => candidate.path !== path);
  if (isWhole && hasErrors(diagnostics)) throw unreadable(given, diagnostics);
  const mine = isWhole ? diagnostics : diagnostics.filter(({ at }) => at === null || isPartOf(at.file, path));
  if (file === undefined && files.length > 0) throw notAFile(given, files, cwd);
  if (file === undefined || hasErrors(mine)) throw unreadable(given, mine.length > 0 ? mine : diagnostics);
  for (const diagnostic of mine) note(diagnostic);
  return file;
}

/** A folder of cases that another tool keeps in a file each becomes one file; null: it is no such folder. */
function joined(path: string, suites: readonly Suite[]): EvalFile | undefined {
  const [suite, ...more] = suites;
  const files = suite?.files ?? [];
  const [first] = files;
  const isImported = files.every(({ format }) => IMPORT_NAMES.some((name) => name === format));
  const isOne = files.every(({ format }) => format === first?.format);
  if (suite === undefined || first === undefined || more.length > 0 || !isImported || !isOne)
    return undefined;
  const extras = Object.assign({}, ...files.map((file) => file.extras)) as EvalFile["extras"];
  const skillName = suite.skill?.name ?? null;
  const described = new Map(
    files.flatMap((file) => file.cases.map(({ at }) => [at, file.description] as const)),
  );
  const cases = suite.cases.map((one) => {
    const description = described.get(one.at) ?? null;
    return description === null ? one : { ...one, extras: { ...one.extras, description } };
  });
  return { ...first, path, skillName, description: null, cases, extras };
}

/** What is said about a case's other files is said about the case. */
function isPartOf(file: string, path: string): boolean {
  return file === path || (OF_A_FOLDER.test(basename(path)) && isInside(file, dirname(path)));
}

const OF_A_FOLDER = /^(?:prompt\.md|case\.ya?ml|criteria\.json|promptfooconfig\.(?:ya?ml|json))$/i;

function notAFile(given: string, files: readonly EvalFile[], cwd: string): UserError {
  const names = files.slice(0, 5).map(({ path }) => relative(cwd, path));
  return new UserError("convert/not-a-file", `${given} is not an eval file`, {
    hint: `convert takes one at a time, e.g. ${names.join(", ")}`,
  });
}

function unreadable(given: string, diagnostics: readonly Diagnostic[]): UserError {
  return new UserError("convert/unreadable", `${given} cannot be converted because it cannot be loaded`, {
    diagnostics,
  });
}

function nothingLeft(to: FormatName, losses: readonly string[]): UserError {
  const listed = losses.map((loss) => `  - ${loss}\n`).join("");
  return new UserError("convert/nothing-left", `${to} cannot express anything of this:\n${listed}`);
}

function filesOf({ text, files = [] }: Written): readonly Omit<ConvertedFile, "path">[] {
  return files.length > 1 ? files : [{ name: null, text }];
}
