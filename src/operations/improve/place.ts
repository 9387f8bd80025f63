import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { relative, resolve } from "node:path";
import type { Skill } from "../../domain/skill.ts";
import type { Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { type SuiteFolder, projectFolder } from "../../store/layout.ts";
import { findProjectRoot } from "../../load/project-root.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import { loadSuites } from "../../engine/load-suites.ts";
import type { Machine } from "../../machine.ts";

/** The one skill that a command improves, and where what is known about it lies. */
export interface Place {
  readonly suite: Suite;
  readonly skill: Skill;
  /** SKILL.md or the command file, as it is now. */
  readonly skillText: string;
  readonly projectRoot: string | null;
  /** Paths in diffs are relative to it: the project, or where the command was called. */
  readonly diffRoot: string;
  /** The `.assay` folder. */
  readonly results: string;
  readonly folder: SuiteFolder;
}

export async function findPlace(
  target: string,
  raw: Readonly<Record<string, unknown>>,
  machine: Machine,
): Promise<Place> {
  if ((await stat(resolve(machine.cwd, target)).catch(() => null)) === null) {
    throw new UserError("improve/no-skill", `there is nothing at ${target}`, {
      hint: "name a SKILL.md, skill directory or command file; --from-evals PATH drafts a first one there",
    });
  }
  const suites = await loadSuites([target], raw, { machine, changed: null });
  const found = suites.filter((suite) => suite.skill !== null);
  const [suite, second] = found;
  if (suite?.skill === undefined || suite.skill === null || second !== undefined) {
    const names = found.slice(0, 5).map(({ name }) => name);
    throw new UserError(
      "improve/which-skill",
      found.length === 0
        ? `there is no skill at ${target}`
        : `${target} holds ${found.length} skills: ${names.join(", ")}`,
      { hint: "name one SKILL.md, skill directory or command file" },
    );
  }
  const { skill } = suite;
  const projectRoot = findProjectRoot(skill.root, machine.home);
  const results = resultsFolder(raw, machine);
  return {
    suite,
    skill,
    skillText: await readFile(skill.file, "utf8"),
    projectRoot,
    diffRoot: projectRoot ?? machine.cwd,
    results,
    folder: projectFolder(results).suite(suite.name),
  };
}

/** The skill's file as diffs name it. */
export function diffPath({ diffRoot }: Pick<Place, "diffRoot">, file: string): string {
  return relative(diffRoot, file).replaceAll("\\", "/");
}
