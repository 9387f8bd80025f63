import { dirname, join } from "node:path";
import type { Skill } from "../domain/skill.ts";
import type { Suite } from "../domain/suite.ts";
import { findProjectRoot } from "../load/project-root.ts";
import type { Machine } from "../machine.ts";
import type { Client, Harness } from "../run/harness.ts";
import { type ProjectDigest, projectDigests } from "../run/workspace/project-digest.ts";
import { type ListProject, projectLister } from "../run/workspace/project-files.ts";
import type { Config } from "./config.ts";
import { fromPluginLater } from "./from-plugin.ts";
import { type HarnessOptions, makeHarness } from "./harness.ts";
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
  }: {
    options: HarnessOptions & Pick<RunOptions, "projectRoot" | "include">;
    config: Config;
    own: Skill | null;
  },
): Survey {
  const agents = new Map<string, Promise<Agent>>();
  const others = otherSkillsFinder(machine.home);
  const listProject = projectLister(machine.env, options.include);
  const projectRoot = (suite: Suite) =>
    options.projectRoot ?? projectRootOf(own === null ? suite : { ...suite, skill: own }, machine);
  const { harnesses: plugins } = config.plugins;
  const find = async (name: string): Promise<Agent> => {
    const harness = await makeHarness(name, options, { machine, plugins });
    return { harness, client: await harness.find() };
  };
  const findOwn = (name: string): Promise<Agent> =>
    plugins.some((one) => one.name === name)
      ? fromPluginLater({ kind: "harness", name }, () => find(name))
      : find(name);
  return {
    agent(name) {
      const found = agents.get(name) ?? findOwn(name);
      agents.set(name, found);
      return found;
    },
    projectRoot,
    projectDigest: projectDigests(listProject),
    listProject,
    otherSkills: (suite) => others(suite, projectRoot(suite)),
  };
}

function projectRootOf({ skill, files }: Suite, { cwd, home }: Machine): string | null {
  return findProjectRoot(skill?.root ?? dirname(files[0]?.path ?? join(cwd, "x")), home);
}
