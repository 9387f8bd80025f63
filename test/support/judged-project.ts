import { cp, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readScript } from "../../src/gateway/sim/read-script.ts";
import { type Sim, startSim } from "../../src/gateway/sim/server.ts";
import { assay, type CommandOutcome } from "./command-line.ts";
import { tempTree } from "./temp-tree.ts";

/** A project whose agent plays a script and whose judge is a scripted model service, both from one fixture folder. */
export interface JudgedProject extends AsyncDisposable {
  readonly root: string;
  readonly sim: Sim;
  readonly path: (relative: string) => string;
  /** A command line with the judge in reach. */
  readonly assay: (...args: readonly string[]) => Promise<CommandOutcome>;
  /** `assay run` of the target on the scripted agent. */
  readonly run: (target: string, ...args: readonly string[]) => Promise<CommandOutcome>;
  readonly json: <T>(relative: string) => Promise<T>;
}

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), "..", "grade", "fixtures");

export const fixture = (...parts: readonly string[]): string => join(FIXTURES, ...parts);

export async function judgedProject(name: string): Promise<JudgedProject> {
  const tree = await tempTree();
  await cp(fixture(name, "project"), tree.root, { recursive: true });
  const sim = await startSim(await readScript(fixture(name, "judge.yaml")));
  const env = { PATH: "/usr/bin:/bin", ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "not-a-real-key" };
  const call = (...args: readonly string[]) => assay(args, { cwd: tree.root, env });
  return {
    root: tree.root,
    sim,
    path: tree.path,
    assay: call,
    run: (target, ...args) =>
      call("run", target, "--harness", "scripted", "--script", fixture(name, "agent.json"), ...args),
    json: async <T>(relative: string) => JSON.parse(await readFile(tree.path(relative), "utf8")) as T,
    async [Symbol.asyncDispose]() {
      await sim.close();
      await tree[Symbol.asyncDispose]();
    },
  };
}
