import { createHash } from "node:crypto";
import { dirname, relative } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import type { SkillFiles } from "../../compare/analyze/skill-files.ts";
import { type Flip, flipsBetween } from "../../compare/flips.ts";
import type { Contender, Pair } from "../../compare/pair.ts";
import { type ComparisonFolder, projectFolder, suiteFolder } from "../../store/layout.ts";
import type { IterationArm } from "./arm.ts";
import type { CompareCall } from "./call.ts";
import { requireComparable } from "./comparable.ts";
import { isNowhere, notFound, type Operand, readOperand, suiteNamed } from "./operand.ts";
import { armPairs, runPair, type Uncompared, uncomparedCases } from "./pairs.ts";
import { skillOfArm } from "./skill-text.ts";
import { textPair } from "./text-pair.ts";
import { runVersions } from "./versions.ts";

/** Everything a comparison is made of. */
export interface ComparedSides {
  readonly versions: Readonly<Record<Contender, string>>;
  /** Null where only single outputs are compared. */
  readonly flips: readonly Flip[] | null;
  readonly pairs: readonly Pair[];
  readonly skills: Readonly<Record<Contender, SkillFiles | null>>;
  readonly folder: ComparisonFolder;
  readonly notes: readonly string[];
  /** Cases that both were to run, but that one has no run of that counts. */
  readonly uncompared: readonly Uncompared[];
}

/** What the two names stand for; versions are run first, unless that is interrupted. */
export async function readSides(call: CompareCall): Promise<ComparedSides | "interrupted"> {
  const { settled, run, door } = call;
  const { results } = run.request;
  const names = [settled.first, settled.second] as const;
  const suite = names.map(suiteNamed).find((name) => name !== null) ?? null;
  const places = { cwd: door.machine.cwd, results, suite };
  const [first, second] = [await readOperand(names[0], places), await readOperand(names[1], places)];
  if (first.kind === "arm" && second.kind === "arm") {
    const versions = { first: nameOf(first.arm, second.arm), second: nameOf(second.arm, first.arm) };
    return ofArms(first.arm, second.arm, { call, versions });
  }
  if (first.kind === "version" && second.kind === "version") {
    const ran = await runVersions({ first, second }, call);
    if (ran === "interrupted") return ran;
    const sides = await ofArms(ran.arms.first, ran.arms.second, { call, versions: versionsOf(names) });
    return { ...sides, skills: ran.skills };
  }
  // Relative, so that the same comparison of a copied project lies in the same place.
  const folderOf = (...paths: readonly string[]) =>
    projectFolder(results).comparison(digest(paths.map((path) => relative(results, path))));
  if (first.kind === "run" && second.kind === "run") {
    const arms = [armOfRun(first), armOfRun(second)] as const;
    const notes = requireComparable(arms[0], arms[1], settled.cross, "runs");
    const pair = await runPair(first.run, second.run);
    const skills = { first: await skillOfArm(arms[0]), second: await skillOfArm(arms[1]) };
    return {
      versions: { first: pair.first.name, second: pair.second.name },
      flips: null,
      pairs: [pair],
      skills,
      folder: folderOf(
        ...[first.run, second.run].map(({ folder, finished }) => folder.run(finished.folder).root),
      ),
      notes,
      uncompared: [],
    };
  }
  if (first.kind === "text" && second.kind === "text") {
    const pair = await textPair({ first: first.path, second: second.path }, call);
    const named = {
      ...pair,
      first: { ...pair.first, name: first.name },
      second: { ...pair.second, name: second.name },
    };
    return {
      versions: versionsOf(names),
      flips: null,
      pairs: [named],
      skills: { first: null, second: null },
      folder: folderOf(first.path, second.path),
      notes: [],
      uncompared: [],
    };
  }
  for (const operand of [first, second]) if (isNowhere(operand)) throw notFound(operand.name);
  throw new UserError(
    "compare/mixed",
    `${names[0]} is ${WORDS[first.kind]}, ${names[1]} is ${WORDS[second.kind]}`,
    {
      hint: "compare two of the same kind: two iterations, two runs, two text files, or two versions of a skill",
    },
  );
}

const WORDS: Readonly<Record<Operand["kind"], string>> = {
  arm: "an iteration",
  run: "a single run",
  text: "a text file",
  version: "a version of a skill",
};

async function ofArms(
  first: IterationArm,
  second: IterationArm,
  { call, versions }: { call: CompareCall; versions: ComparedSides["versions"] },
): Promise<ComparedSides> {
  const { cases, cross, pairs: perCase, flips: flipsOnly } = call.settled;
  const { results } = call.run.request;
  const notes = requireComparable(first, second, cross);
  requireCases(cases, first, second);
  const isWanted = (caseId: string) => cases.length === 0 || cases.includes(caseId);
  const uncompared = uncomparedCases(first, second).filter(({ caseId }) => isWanted(caseId));
  const flips = flipsBetween(first, second).filter(
    ({ caseId }) => isWanted(caseId) && !uncompared.some((one) => one.caseId === caseId),
  );
  const pairs = flipsOnly ? [] : await armPairs(first, second, { cases, perCase });
  const together = suiteFolder(dirname(second.folder.root)).comparison(second.number, first.number);
  const apart = first.number === second.number || dirname(first.folder.root) !== dirname(second.folder.root);
  const folder = apart
    ? projectFolder(results).comparison(
        digest([first, second].map((arm) => `${relative(results, arm.folder.root)}:${arm.variant}`)),
      )
    : together;
  const skills = { first: await skillOfArm(first), second: await skillOfArm(second) };
  const missing = uncompared.map(
    ({ caseId, side, why }) => `case ${caseId} is not compared: no run of ${versions[side]} counts (${why})`,
  );
  const all = [...notes, ...changedCases(first, second), ...missing];
  return { versions, flips, pairs, skills, folder, notes: all, uncompared };
}

/** Names what was not run on both sides, before anything is asked. */
function requireCases(wanted: readonly string[], first: IterationArm, second: IterationArm): void {
  const before = new Set(first.state.cases.map(({ id }) => id));
  const both = second.state.cases.filter(({ id }) => before.has(id));
  const missing = wanted.filter((id) => !both.some((one) => one.id === id));
  if (missing.length === 0) return;
  const ids = both.map(({ id, name }) => (name === null ? id : `${id} (${name})`));
  throw new UserError("compare/no-case", `not both have the case ${missing.join(", ")}`, {
    hint: `--case takes ids; both have ${ids.slice(0, 20).join(", ")}${ids.length > 20 ? " and more" : ""}`,
  });
}

/** By number and variant where these tell the two apart, else as it was named. */
function nameOf(own: IterationArm, other: IterationArm): string {
  if (own.number !== other.number) return `iteration-${own.number}`;
  return own.variant === other.variant ? own.name : `iteration-${own.number} (${own.variant})`;
}

function changedCases(first: IterationArm, second: IterationArm): readonly string[] {
  return second.state.cases.flatMap((now) => {
    const before = first.state.cases.find(({ id }) => id === now.id);
    if (before === undefined || JSON.stringify(before.prompt) === JSON.stringify(now.prompt)) return [];
    return [`the prompt of case ${now.id} has changed between the two`];
  });
}

function armOfRun({ name, run }: Operand & { readonly kind: "run" }): IterationArm {
  const { folder, state, finished } = run;
  return { folder, state, name, number: state.iteration?.number ?? 0, variant: finished.trial.variant };
}

function versionsOf(names: readonly [string, string]): Readonly<Record<Contender, string>> {
  const [first, second] = names;
  return { first, second };
}

function digest(names: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(names)).digest("hex").slice(0, 12);
}
