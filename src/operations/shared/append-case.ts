import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { writeYaml } from "../../lib/document/write-yaml.ts";
import { objectAt } from "../../lib/loose.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { renamer } from "../../lib/rename-in-text.ts";
import { shownPath } from "../../lib/shown-path.ts";
import type { Machine } from "../../machine.ts";
import { writing } from "./writing.ts";

/** A case to be added to a skill's evals. */
export interface NewCase {
  readonly name: string;
  readonly prompt: readonly string[];
  readonly expected: string;
  readonly expectations: readonly string[];
  /** In the words of the `assay` key. */
  readonly checks: readonly JsonObject[];
  readonly files: readonly { readonly name: string; readonly content: string }[];
  /** What the agent answered instead; null: nobody says. */
  readonly actual: string | null;
}

/** What would be written. */
export interface PlannedCase {
  /** Absolute path of the eval file. */
  readonly file: string;
  /** The file exists, and the case is added to it. */
  readonly isAdded: boolean;
  readonly text: string;
  /** Input files beside it, absolute. */
  readonly fixtures: readonly { readonly path: string; readonly text: string }[];
}

/**
 * Where the case goes: into the skill's evals.json where there is one, else a Skillet file of its own, else, with input
 * files, which Skillet has not, a new evals.json.
 */
export async function planCase(one: NewCase, skill: Skill, machine: Machine): Promise<PlannedCase> {
  const directory =
    skill.layout === "directory" ? join(skill.root, "evals") : join(dirname(skill.root), "evals", skill.name);
  const file = join(directory, "evals.json");
  const names: readonly string[] = await readdir(directory).catch(() => []);
  const isJson = names.some((name) => JSON_EVALS.has(name)) || one.files.length > 0;
  if (!isJson) {
    const free = freeName(names, one.name);
    return {
      file: join(directory, free),
      isAdded: false,
      text: skilletText(one, machine.now()),
      fixtures: [],
    };
  }
  if (one.files.length > 0 && !names.includes("evals.json") && names.some((name) => /\.ya?ml$/.test(name))) {
    throw new UserError(
      "add/other-format",
      `${shownPath(directory, machine.cwd)} holds Skillet files, which have no input files`,
      {
        hint: "beside an evals.json they would be ignored; convert them first with assay convert --to skill-creator",
      },
    );
  }
  const before = existsSync(file) ? await readFile(file, "utf8") : null;
  const { document, list } = evalsIn(before, { file, skill, machine });
  const placed = one.files.map(({ name, content }) => ({
    name: freeFile(directory, `files/${name}`),
    from: name,
    content,
  }));
  const rename = (text: string) =>
    placed.reduce((all, { name, from }) => renamer(from, `evals/${name}`)(all), text);
  list.push(entryOf(one, { id: nextId(list), files: placed.map(({ name }) => `evals/${name}`), rename }));
  return {
    file,
    isAdded: before !== null,
    text: `${JSON.stringify(document, null, 2)}\n`,
    fixtures: placed.map(({ name, content }) => ({ path: join(directory, name), text: content })),
  };
}

const JSON_EVALS = new Set(["evals.json", "triggers.json", "cases.json"]);

/** Answers all paths that were written. */
export async function writeCase(
  { file, isAdded, text, fixtures }: PlannedCase,
  machine: Machine,
): Promise<readonly string[]> {
  for (const { path, text: content } of fixtures) {
    if (existsSync(path)) continue;
    await writing(path, machine, async () => {
      await makeFolder(dirname(path));
      await writeFile(path, content, { flag: "wx" });
    });
  }
  await writing(file, machine, async () => {
    await makeFolder(dirname(file));
    await (isAdded ? writeFileAtomic(file, text) : writeFile(file, text, { flag: "wx" }));
  });
  return [...fixtures.map(({ path }) => path), file];
}

function evalsIn(
  before: string | null,
  { file, skill, machine }: { file: string; skill: Skill; machine: Machine },
): { readonly document: unknown; readonly list: unknown[] } {
  if (before === null) {
    const list: unknown[] = [];
    return { document: { skill_name: skill.name, evals: list }, list };
  }
  const document: unknown = parsed(before);
  const list = Array.isArray(document) ? document : objectAt(document)["evals"];
  if (Array.isArray(list)) return { document, list };
  throw new UserError(
    "add/unreadable",
    `${shownPath(file, machine.cwd)} has no list of evals to add a case to`,
    {
      hint: "assay check says what is wrong with it",
    },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return null;
  }
}

function entryOf(
  { name, prompt, expected, expectations, checks }: NewCase,
  { id, files, rename }: { id: string | number; files: readonly string[]; rename: (text: string) => string },
): JsonObject {
  return {
    id,
    name,
    prompt: rename(prompt.join("\n\n")),
    ...(expected === "" ? {} : { expected_output: expected }),
    ...(files.length === 0 ? {} : { files }),
    ...(expectations.length === 0 ? {} : { expectations }),
    ...(checks.length === 0
      ? {}
      : {
          assay: {
            checks: checks.map((check) =>
              typeof check["path"] === "string" ? { ...check, path: rename(check["path"]) } : check,
            ),
          },
        }),
  };
}

function nextId(list: readonly unknown[]): string | number {
  const ids = list.map((entry) => objectAt(entry)["id"]);
  const numbers = ids.filter((id): id is number => typeof id === "number");
  if (numbers.length === ids.length) return Math.max(0, ...numbers) + 1;
  let number = list.length + 1;
  while (ids.some((id) => String(id) === `case-${number}`)) number++;
  return `case-${number}`;
}

function skilletText({ name, prompt, expected, expectations, checks, actual }: NewCase, now: Date): string {
  const [only, second] = prompt;
  const wanted = [...new Set([...(expected === "" ? [] : [expected]), ...expectations])].join("\n");
  const native = checks.filter(({ type }) => type === "contains" || type === "not_contains");
  const others = checks.filter((check) => !native.includes(check));
  const document: JsonObject = {
    name,
    prompt: second === undefined ? (only ?? "") : [...prompt],
    expected: wanted,
    ...(native.length === 0
      ? {}
      : { assertions: native.map(({ type, needle }) => ({ type: type ?? "", value: needle ?? "" })) }),
    ...(actual === null ? {} : { actual }),
    ...(others.length === 0 ? {} : { assay: { checks: others } }),
  };
  return `timestamp: ${now.toISOString().slice(0, 19)}Z\n${writeYaml(document)}`;
}

function freeName(names: readonly string[], name: string): string {
  const numbers = names.flatMap((one) => Number(/^(\d{1,6})[.-]/.exec(one)?.[1] ?? 0));
  return `${String(Math.max(0, ...numbers) + 1).padStart(3, "0")}-${name}.yaml`;
}

/** The wanted name, or one beside it where that is taken. */
function freeFile(directory: string, wanted: string): string {
  if (!existsSync(join(directory, wanted))) return wanted;
  const [, stem = wanted, ending = ""] = /^(.*?)(\.[^./]*)?$/.exec(wanted) ?? [];
  let number = 2;
  while (existsSync(join(directory, `${stem}-${number}${ending}`))) number++;
  return `${stem}-${number}${ending}`;
}
