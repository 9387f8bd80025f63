import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Skill } from "../../domain/skill.ts";
import type { Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { loadSuites } from "../../engine/load-suites.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import { findProjectRoot } from "../../load/project-root.ts";
import { type SuiteFolder, projectFolder } from "../../store/layout.ts";
import type { OpenDoor } from "../door.ts";

/** The one skill that an operation improves, and where what is known about it is kept. */
export interface Place {
  readonly suite: Suite;
  readonly skill: Skill;
  /** SKILL.md or the command file, as it is now. */
  readonly skillText: string;
  /** Paths in diffs are relative to it: the project that holds the skill, or where the operation was called. */
  readonly diffRoot: string;
  /** The `.assay` folder. */
  readonly results: string;
  readonly folder: SuiteFolder;
}

export interface PlaceWishes {
  readonly skill: string;
  readonly evals: string | null;
  /** As the user wrote it; null: it is looked for. */
  readonly projectRoot: string | null;
  readonly workspace: string | null;
}

export async function findPlace(wishes: PlaceWishes, door: OpenDoor): Promise<Place> {
  const { machine } = door;
  const suite = await oneSuite(wishes, door);
  const { skill } = suite;
  const results = resultsFolder(wishes.workspace, machine);
  return {
    suite,
    skill,
    skillText: await readFile(skill.file, "utf8"),
    diffRoot: findProjectRoot(skill.root, machine.home) ?? machine.cwd,
    results,
    folder: projectFolder(results).suite(suite.name),
  };
}

async function oneSuite(
  { skill: target, evals, projectRoot }: PlaceWishes,
  { machine, config, signal }: Pick<OpenDoor, "machine" | "config" | "signal">,
): Promise<Suite & { readonly skill: Skill }> {
  if ((await stat(resolve(machine.cwd, target)).catch(() => null)) === null) {
    throw new UserError("improve/no-skill", `there is nothing at ${target}`, {
      hint: "pass a SKILL.md, skill directory or command file; --from-evals PATH drafts a first one there",
    });
  }
  const { plugins } = config;
  const wishes = {
    targets: [target],
    evals,
    projectRoot,
    skill: null,
    strict: false,
    changed: null,
    plugins,
    signal,
  };
  const found = (await loadSuites(wishes, machine)).filter((suite) => suite.skill !== null);
  const [suite, second] = found;
  if (suite !== undefined && suite.skill !== null && second === undefined)
    return { ...suite, skill: suite.skill };
  const names = found.slice(0, 5).map(({ name }) => name);
  throw new UserError(
    "improve/which-skill",
    found.length === 0
      ? `there is no skill at ${target}`
      : `${target} holds ${found.length} skills: ${names.join(", ")}`,
    { hint: "pass one SKILL.md, skill directory or command file" },
  );
}
