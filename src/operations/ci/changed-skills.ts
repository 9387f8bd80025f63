import { stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { LaneSkill } from "../../domain/ci.ts";
import { type Skill, skillPath } from "../../domain/skill.ts";
import type { Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { loadOptions } from "../../engine/load-options.ts";
import { NO_PLUGINS } from "../../engine/plugins.ts";
import { skillDigest } from "../../iteration/digests.ts";
import { changedPaths } from "../../lib/git-changes.ts";
import { fileHash } from "../../lib/tree-hash.ts";
import { loadTargets } from "../../load/load.ts";
import type { Machine } from "../../machine.ts";
import { changedSuites } from "../../plan/select.ts";
import type { Repository } from "./trees.ts";

/** A skill that the change touches, with what it is in the change; null: the change removes it. */
export interface ChangedSkill extends LaneSkill {
  readonly skill: Skill | null;
  /** Of the change, absolute. */
  readonly evalFiles: readonly string[];
}

/**
 * The skills that differ between base and working tree. Files are only read. `cwd` is in the repository, `baseCwd` is the same
 * place in the tree of the base.
 */
export async function changedSkills(
  targets: readonly string[],
  { repository, machine, baseCwd }: { repository: Repository; machine: Machine; baseCwd: string },
): Promise<readonly ChangedSkill[]> {
  const { cwd, env } = machine;
  const here = await suitesAt(targets, machine);
  const there = await suitesAt(targets, { ...machine, cwd: baseCwd }, ["load/no-such-target"]);
  const changed = changedSuites(here, await changedPaths({ cwd, env }, repository.base));
  const wayHere = (suite: Suite) => (suite.skill === null ? "" : relative(cwd, skillPath(suite.skill)));
  const wayThere = (suite: Suite) => (suite.skill === null ? "" : relative(baseCwd, skillPath(suite.skill)));
  const before = new Map(there.map((suite) => [wayThere(suite), suite]));
  const found = await Promise.all(
    changed.map((suite) => stateOf(suite, { before: before.get(wayHere(suite)) ?? null, repository })),
  );
  const gone = await Promise.all(
    there.map(async (suite) => {
      if (suite.skill === null || (await isThere(join(cwd, wayThere(suite))))) return [];
      return [removed(suite, relative(baseCwd, skillPath(suite.skill)))];
    }),
  );
  return [...found.flat(), ...gone.flat()];
}

/** Throws a UserError where a file cannot be used: what it says would be missing without a word. */
async function suitesAt(
  targets: readonly string[],
  machine: Machine,
  borne: readonly string[] = [],
): Promise<readonly Suite[]> {
  const options = loadOptions({ evals: null, skill: null, plugins: NO_PLUGINS }, machine);
  const { suites, diagnostics } = await loadTargets(targets, options);
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === "error" && !["load/nothing-found", ...borne].includes(code),
  );
  if (errors.length === 0) return suites;
  throw new UserError("load/invalid", "nothing was run, because some files cannot be used", {
    hint: "assay check says where",
    diagnostics: errors,
  });
}

async function stateOf(
  { name, skill, files, cases }: Suite,
  { before, repository }: { before: Suite | null; repository: Repository },
): Promise<readonly ChangedSkill[]> {
  if (skill === null) return [];
  const evalFiles = files.map((file) => file.path);
  const path = relative(repository.top, skillPath(skill));
  const old = before?.skill ?? null;
  const head = { name, path, skill, evalFiles };
  const isHeldHere = hasTasks(cases);
  if (old === null)
    return [
      {
        ...head,
        state: isHeldHere ? "new" : "without evals",
        evals: isHeldHere ? "head" : null,
        evalsChanged: false,
      },
    ];
  const evals = before !== null && hasTasks(before.cases) ? "base" : isHeldHere ? "head" : null;
  const evalsChanged =
    evals === "base" && (await differ(evalFiles, before?.files.map((file) => file.path) ?? []));
  const isSame = (await skillDigest(skill)) === (await skillDigest(old));
  const state = isSame ? "only evals changed" : evals === null ? "without evals" : "compared";
  return [{ ...head, state, evals: state === "compared" ? evals : null, evalsChanged }];
}

function hasTasks(cases: Suite["cases"]): boolean {
  return cases.some(({ kind }) => kind === "task");
}

function removed({ name }: Suite, path: string): ChangedSkill {
  return { name, path, state: "removed", evals: null, evalsChanged: false, skill: null, evalFiles: [] };
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function differ(here: readonly string[], there: readonly string[]): Promise<boolean> {
  const hashes = (paths: readonly string[]) =>
    Promise.all(paths.map((path) => fileHash(path).catch(() => "unreadable")));
  const [one, other] = [await hashes(here), await hashes(there)];
  return one.toSorted().join() !== other.toSorted().join();
}
