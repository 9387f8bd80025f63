import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Skill } from "../domain/skill.ts";
import type { Suite } from "../domain/suite.ts";
import { memo } from "../lib/memo.ts";
import { findProjectRoot } from "../load/project-root.ts";
import type { Machine } from "../machine.ts";
import { findSandbox, type FoundSandbox } from "../run/choose-sandbox.ts";
import type { Client, Harness } from "../run/harness.ts";
import { type ProjectDigest, projectDigests } from "../run/workspace/project-digest.ts";
import { type ListProject, projectLister } from "../run/workspace/project-files.ts";
import type { Config } from "./config.ts";
import { type HarnessWishes, makeHarness } from "./harness.ts";
import { otherSkillsFinder } from "./project-skills.ts";
import type { RunOptions } from "./run-options.ts";

/** An agent that is there. */
interface Agent {
  readonly harness: Harness;
  readonly client: Client;
}

/** What planning has to know of this machine. Each fact is looked up once, and nothing is changed. */
export interface Survey {
  /** Throws a UserError where there is no such agent. */
  readonly agent: (name: string) => Promise<Agent>;
  /** Where the files lie that the agents of this suite find; null: nowhere. */
  readonly projectRoot: (suite: Suite) => string | null;
  readonly projectDigest: ProjectDigest;
  readonly listProject: ListProject;
  /** The sandbox of that name, as it works in the folder for temporary files. Throws a UserError where it does not. */
  readonly sandbox: (name: string) => Promise<FoundSandbox>;
  /** Ends the looking. */
  readonly signal: AbortSignal;
  /** The skills of the suite's project that are not the one under test. */
  readonly otherSkills: (suite: Suite) => Promise<readonly Skill[]>;
}

/** `own` is the project's own skill, where the suites run a version of it from another place. */
export function surveyMachine(
  machine: Machine,
  {
    options,
    config,
    own,
    signal,
  }: {
    options: HarnessWishes & Pick<RunOptions, "projectRoot" | "include">;
    config: Config;
    own: Skill | null;
    signal: AbortSignal;
  },
): Survey {
  const others = otherSkillsFinder(machine.home);
  const listProject = projectLister(machine.env, options.include, signal);
  const projectRoot = (suite: Suite) =>
    options.projectRoot ?? projectRootOf(own === null ? suite : { ...suite, skill: own }, machine);
  const { harnesses: plugins } = config.plugins;
  const find = async (name: string): Promise<Agent> => {
    const harness = await makeHarness(name, options, { machine, plugins, signal });
    return { harness, client: await harness.find() };
  };
  return {
    agent: memo(find),
    projectRoot,
    projectDigest: projectDigests(listProject, signal),
    listProject,
    sandbox: memo((name: string) => findSandbox(name, tmpdir())),
    signal,
    otherSkills: (suite) => others(suite, projectRoot(suite)),
  };
}

function projectRootOf({ skill, files }: Suite, { cwd, home }: Machine): string | null {
  return findProjectRoot(skill?.root ?? dirname(files[0]?.path ?? join(cwd, "x")), home);
}
