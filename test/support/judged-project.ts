import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import type { CommandOutcome } from "./command-line.ts";
import { type SimProject, simProject } from "./sim-project.ts";
import { tempTree } from "./temp-tree.ts";

/** A project whose agent plays a script and whose judge is a scripted model service, both from one fixture folder. */
export interface JudgedProject extends SimProject {
  /** `assay run` of the target on the scripted agent. */
  readonly run: (target: string, ...args: readonly string[]) => Promise<CommandOutcome>;
}

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), "..", "grade", "fixtures");

export const fixture = (...parts: readonly string[]): string => join(FIXTURES, ...parts);

export async function judgedProject(name: string): Promise<JudgedProject> {
  const tree = await tempTree();
  await cp(fixture(name, "project"), tree.root, { recursive: true });
  const sim = await startSim(await readScript(fixture(name, "judge.yaml")));
  const project = simProject(tree, sim);
  return {
    ...project,
    run: (target, ...args) =>
      project.assay("run", target, "--harness", "scripted", "--script", fixture(name, "agent.json"), ...args),
  };
}
