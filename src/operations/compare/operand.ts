import { readdir, stat } from "node:fs/promises";
import { basename, relative, resolve, sep } from "node:path";
import { type Variant, VARIANTS } from "../../domain/trial.ts";
import { UserError } from "../../domain/user-error.ts";
import { testedVariant } from "../../compare/flips.ts";
import { nearest } from "../../lib/nearest.ts";
import { someOf } from "../../lib/some-of.ts";
import { foreignAt } from "../../store/foreign/find.ts";
import { listIterations, listSuites } from "../../store/iterations.ts";
import { projectFolder } from "../../store/layout.ts";
import { findIteration, findRun, type FoundIteration, type FoundRun, type RunPlaces } from "../find-run.ts";
import type { IterationArm } from "./arm.ts";
import { type SaidIteration, iterationName } from "./iteration-name.ts";

/** What a person named as one side of a comparison. */
export type Operand =
  | { readonly kind: "arm"; readonly name: string; readonly arm: IterationArm }
  | { readonly kind: "run"; readonly name: string; readonly run: FoundRun }
  | { readonly kind: "text"; readonly name: string; readonly path: string }
  /** A directory with a skill, or a git ref; still to be run. */
  | { readonly kind: "version"; readonly name: string; readonly directory: string | null };

export interface OperandPlaces extends RunPlaces {
  /** The skill that a bare number belongs to; null: the only one that was run. */
  readonly suite: string | null;
}

/** Paths come first; then iterations by `SKILL@N`, `N` or a skill's name; what is left is a git ref. */
export async function readOperand(text: string, places: OperandPlaces): Promise<Operand> {
  const path = resolve(places.machine.cwd, text);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() === true) {
    return isSkillFile(path)
      ? { kind: "version", name: text, directory: path }
      : { kind: "text", name: text, path };
  }
  if (found?.isDirectory() === true) {
    const operand = await inDirectory(text, path, places);
    if (operand !== null) return operand;
  }
  const named = iterationName(text);
  if (named !== null) return numbered(text, { ...named, suite: named.suite ?? places.suite }, places);
  const { bare, variant } = withVariant(text);
  if ((await listSuites(places.results)).includes(bare))
    return { kind: "arm", name: text, arm: armOf(text, await findIteration(bare, places), variant) };
  if (/\/run-\d+$/.test(text)) return { kind: "run", name: text, run: await findRun(text, places) };
  if (/^[\w./~^@{}-]+$/.test(text) && !text.startsWith("-"))
    return { kind: "version", name: text, directory: null };
  throw notFound(text);
}

/** Nothing here has that name: at best it is a git ref. */
export function isNowhere(operand: Operand): boolean {
  return operand.kind === "version" && operand.directory === null;
}

export function notFound(text: string): UserError {
  return new UserError(
    "compare/unknown",
    `${JSON.stringify(text)} is not an iteration, run, file or directory that can be compared`,
    {
      hint: "pass two iterations (SKILL@3, 3, an iteration-N folder), two run folders, two text files, or two versions of a skill (directories or git refs)",
    },
  );
}

/** The skill that an operand says it belongs to, so that a bare number beside it is understood. */
export function suiteNamed(text: string): string | null {
  return iterationName(text)?.suite ?? null;
}

function isSkillFile(path: string): boolean {
  return basename(path) === "SKILL.md" || /[/\\]\.claude[/\\]commands[/\\].+\.md$/.test(path);
}

/** Null where nothing in it can be compared. */
async function inDirectory(text: string, path: string, places: OperandPlaces): Promise<Operand | null> {
  if (/^iteration-\d+$/.test(basename(path)))
    return { kind: "arm", name: text, arm: armOf(text, await findIteration(text, places), null) };
  const entries = await readdir(path);
  const foreign = entries.includes("SKILL.md") ? null : await foreignAt(path);
  if (foreign !== null && isWhole(path, foreign.root))
    return { kind: "arm", name: text, arm: armOf(text, await findIteration(text, places), null) };
  if (foreign !== null || /[/\\]iteration-\d+[/\\]/.test(path))
    return { kind: "run", name: text, run: await findRun(text, places) };
  if (entries.includes("SKILL.md")) return { kind: "version", name: text, directory: path };
  const [newest] = (await listIterations(path)).toReversed();
  if (newest !== undefined) {
    const found = await findIteration(newest.folder.root, places);
    return { kind: "arm", name: text, arm: armOf(text, found, null) };
  }
  return null;
}

/** The iteration itself, or what holds it: not one of its runs. */
function isWhole(path: string, root: string): boolean {
  return path === root || root.startsWith(`${path}${sep}`);
}

async function numbered(
  text: string,
  { suite, number, variant }: SaidIteration,
  { machine, results }: OperandPlaces,
): Promise<Operand> {
  const name = suite ?? (await onlySuite(results, number));
  const folder = projectFolder(results).suite(name).iteration(number);
  if ((await stat(folder.root).catch(() => null)) === null)
    throw await noIteration(name, number, { machine, results });
  const found = await findIteration(folder.root, { machine, results });
  return { kind: "arm", name: text, arm: armOf(text, found, variant) };
}

async function noIteration(
  name: string,
  number: number,
  { machine, results }: RunPlaces,
): Promise<UserError> {
  const there = (await listIterations(projectFolder(results).suite(name).root)).map((one) => one.number);
  if (there.length > 0) {
    return new UserError("compare/no-iteration", `${name} has no iteration ${number}`, {
      hint: `iterations: ${there.join(", ")}`,
    });
  }
  const suites = await listSuites(results);
  const meant = nearest(name, suites);
  const known = suites.length === 0 ? "assay run makes the first" : `skills with results: ${someOf(suites)}`;
  return new UserError(
    "compare/no-iteration",
    `nothing of ${name} was run in ${relative(machine.cwd, results) || "."}`,
    { hint: meant === null ? known : `did you mean ${meant}@${number}?` },
  );
}

function armOf(name: string, found: FoundIteration, wanted: Variant | null): IterationArm {
  const variant = wanted ?? testedVariant(found.state.trials);
  const { trials } = found.state;
  if (variant === null || !trials.some((trial) => trial.variant === variant)) {
    const there = [...new Set(trials.map((trial) => trial.variant))].join(", ");
    throw new UserError("compare/no-variant", `${name} has no runs of ${variant ?? "any variant"}`, {
      hint: there === "" ? "nothing was run there" : `it has ${there}`,
    });
  }
  return { ...found, name, variant, number: found.state.iteration?.number ?? 0 };
}

function withVariant(text: string): { readonly bare: string; readonly variant: Variant | null } {
  const variant = VARIANTS.find((known) => text.endsWith(`:${known}`)) ?? null;
  return { bare: variant === null ? text : text.slice(0, -variant.length - 1), variant };
}

async function onlySuite(results: string, number: number): Promise<string> {
  const suites = await listSuites(results);
  const [only, second] = suites;
  if (only !== undefined && second === undefined) return only;
  throw new UserError(
    "compare/which-skill",
    suites.length === 0
      ? `there are no results in ${results}`
      : `which skill? ${suites.length} of them have results here`,
    {
      hint:
        suites.length === 0
          ? "assay run makes the first"
          : `write ${suites[0]}@${number}, for example; there are ${someOf(suites)}`,
    },
  );
}
