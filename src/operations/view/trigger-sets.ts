import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import type { SetQuery, TriggerSet, TriggerSetEdit, TriggerSetsPage } from "../../domain/pages.ts";
import type { Skill } from "../../domain/skill.ts";
import { type Case, type EvalFile, type FormatName, plainCase } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { loadOptions } from "../../engine/load-options.ts";
import { NO_PLUGINS } from "../../engine/plugins.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { shownPath } from "../../lib/shown-path.ts";
import { staysIn } from "../../lib/stays-in.ts";
import { parseDocument, readText } from "../../load/document.ts";
import { BUILT_IN_FORMATS } from "../../load/formats/index.ts";
import { loadTargets } from "../../load/load.ts";
import type { Machine } from "../../machine.ts";
import { writing } from "../shared/writing.ts";
import type { ViewedIteration } from "./stored.ts";

export interface SetsPlace {
  readonly machine: Machine;
  /** The folder that the results lie in. */
  readonly project: string;
}

export async function triggerSetsPage(
  { at, iteration }: ViewedIteration,
  place: SetsPlace,
): Promise<TriggerSetsPage> {
  const read = await Promise.all(iteration.evalFiles.map(({ path }) => readSet(path, place)));
  return { at, sets: read.flatMap((one) => (one === null ? [] : [one.set])) };
}

/** Writes a file with the queries that it is to hold, in its own format; what cannot be written so is refused. */
export async function changeTriggerSet(
  found: ViewedIteration,
  given: unknown,
  place: SetsPlace,
): Promise<TriggerSetsPage> {
  const edit = readSetEdit(given);
  const { iteration } = found;
  const read = await Promise.all(iteration.evalFiles.map(({ path }) => readSet(path, place)));
  const there = read.find((one) => one?.set.file === edit.file);
  if (!there) throw new UserError("view/not-found", `${edit.file} is no trigger set of this iteration`);
  const { set } = there;
  if (set.problem !== null) throw new UserError("view/set-refused", set.problem);
  if (set.digest !== edit.digest)
    throw new UserError("view/set-changed", `${set.file} was changed by somebody else`, {
      hint: "reload the page to see how it is now; copy what you wrote first",
    });
  const text = await textWith(there, edit.queries);
  await writing(there.path, place.machine, () => writeFileAtomic(there.path, text));
  return triggerSetsPage(found, place);
}

interface ReadSet {
  readonly path: string;
  readonly text: string;
  readonly file: EvalFile;
  readonly skill: Skill | null;
  readonly set: TriggerSet;
}

async function readSet(path: string, { machine, project }: SetsPlace): Promise<ReadSet | null> {
  const absolute = resolve(project, path);
  const text = await readText(absolute, () => {});
  if (text === null) return null;
  const { suites } = await loadTargets(
    [absolute],
    loadOptions({ evals: null, skill: null, plugins: NO_PLUGINS }, machine),
  );
  const suite = suites.find(({ files }) => files.some((one) => one.path === absolute));
  const file = suite?.files.find((one) => one.path === absolute);
  if (suite === undefined || file === undefined || !Object.hasOwn(BUILT_IN_FORMATS, file.format)) return null;
  const queries = queriesOf(file);
  if (queries.length === 0) return null;
  const isOwn = [project, machine.cwd].some((folder) => staysIn(folder, absolute));
  const name = shownPath(absolute, machine.cwd);
  return {
    path: absolute,
    text,
    file,
    skill: suite.skill,
    set: {
      file: name,
      format: file.format,
      digest: createHash("sha256").update(text).digest("hex"),
      queries,
      problem: isOwn
        ? null
        : `${name} is not in this project; start assay view in the skill's own to edit it`,
    },
  };
}

function queriesOf({ cases }: EvalFile): readonly SetQuery[] {
  return cases.flatMap((one) =>
    one.kind === "trigger" ? [{ id: one.id, query: queryOf(one), shouldTrigger: expectedOf(one) }] : [],
  );
}

function queryOf({ prompt }: Case): string {
  return prompt.kind === "turns" ? prompt.turns.join("\n\n") : prompt.args;
}

function expectedOf({ checks }: Case): boolean {
  const fires = checks.find((check) => check.kind === "fires");
  return fires?.kind === "fires" ? fires.expected : true;
}

/** The file's new text. Read again, it must say what was wanted, or nothing is written. */
async function textWith({ path, text, file, skill }: ReadSet, queries: readonly SetQuery[]): Promise<string> {
  const format = await BUILT_IN_FORMATS[file.format as FormatName]();
  const tasks = file.cases.filter(({ kind }) => kind !== "trigger");
  const triggers = file.cases.filter(({ kind }) => kind === "trigger");
  const cases = [...tasks, ...queries.map((query, at) => caseWith(query, triggers, at))];
  const { losses, files, text: written } = format.write({ ...file, cases });
  const made = /\.json$/i.test(path) ? indentedAs(text, written) : written;
  const document = parseDocument(path, made, () => {});
  const again =
    document &&
    (await format.load(document, { report: () => {}, skill, projectRoot: null }).catch(() => null));
  const isSame = again !== null && wordsOf(queriesOf(again)) === wordsOf(queries);
  if (isSame && losses.length === 0 && files === undefined) return made;
  throw new UserError("view/set-refused", "the form of this file cannot express the change", {
    hint: `edit ${path} by hand`,
  });
}

/** A query that changes sides, or is new, is spelled as one that is on that side already. */
function caseWith({ id, query, shouldTrigger }: SetQuery, triggers: readonly Case[], at: number): Case {
  const own = triggers.find((one) => one.id === id);
  const like =
    triggers.find((one) => one.id !== id && expectedOf(one) === shouldTrigger) ?? own ?? triggers[0];
  const basis = own ?? newCase(at, triggers, like);
  const isMoved = own === undefined || expectedOf(own) !== shouldTrigger;
  const checks = (isMoved ? (like ?? basis) : basis).checks.map((check) =>
    check.kind === "fires" ? { ...check, expected: shouldTrigger } : check,
  );
  return {
    ...basis,
    checks,
    prompt: own !== undefined && queryOf(own) === query ? own.prompt : { kind: "turns", turns: [query] },
    extras: isMoved && like !== undefined ? { ...withoutSpelling(basis), ...spelling(like) } : basis.extras,
  };
}

function newCase(at: number, triggers: readonly Case[], like: Case | undefined): Case {
  const numbers = triggers.map(({ declaredId }) => declaredId);
  const isNumbered = numbers.length > 0 && numbers.every((number) => typeof number === "number");
  return plainCase({
    id: `new-${at}`,
    declaredId: isNumbered ? Math.max(...numbers) + 1 + at : null,
    kind: "trigger",
    format: like?.format ?? "skill-creator",
    at: like?.at ?? { file: "", line: 1, column: 1 },
    prompt: { kind: "turns", turns: [] },
  });
}

/** Formats keep what an author chose to write how under names that begin so. */
function spelling({ extras }: Case): JsonObject {
  return Object.fromEntries(Object.entries(extras).filter(([key]) => key.startsWith("_")));
}

function withoutSpelling({ extras }: Case): JsonObject {
  return Object.fromEntries(Object.entries(extras).filter(([key]) => !key.startsWith("_")));
}

function wordsOf(queries: readonly SetQuery[]): string {
  return queries
    .map(({ query, shouldTrigger }) => JSON.stringify([query, shouldTrigger]))
    .toSorted()
    .join("\n");
}

function indentedAs(before: string, written: string): string {
  const indent = /^[[{]\r?\n([ \t]+)/.exec(before.trimStart())?.[1] ?? "  ";
  return `${JSON.stringify(JSON.parse(written), null, indent)}\n`;
}

function readSetEdit(given: unknown): TriggerSetEdit {
  const { file, digest, queries } = (given ?? {}) as Partial<TriggerSetEdit>;
  if (typeof file === "string" && typeof digest === "string" && Array.isArray(queries)) {
    const read = (queries as readonly Partial<SetQuery>[]).flatMap(({ id = null, query, shouldTrigger }) =>
      typeof query === "string" && query.trim() !== "" && typeof shouldTrigger === "boolean"
        ? [{ id: typeof id === "string" ? id : null, query, shouldTrigger }]
        : [],
    );
    if (read.length === queries.length && read.length > 0) return { file, digest, queries: read };
  }
  throw new UserError("view/bad-request", "every query needs a text, and there must be one at least");
}
