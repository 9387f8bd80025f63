import { readFile, rm } from "node:fs/promises";
import type { Sim } from "../../src/gateway/sim/server.ts";
import { assay, type CommandOutcome } from "./command-line.ts";
import type { TempTree } from "./temp-tree.ts";

/** A project whose model service is a scripted one; both are gone with it. */
export interface SimProject extends AsyncDisposable {
  readonly root: string;
  readonly sim: Sim;
  readonly env: Readonly<Record<string, string>>;
  readonly path: (relative: string) => string;
  /** A command line in the project's root, with the service in reach. */
  readonly assay: (...args: readonly string[]) => Promise<CommandOutcome>;
  readonly json: <T>(relative: string) => Promise<T>;
}

export function simProject(tree: TempTree, sim: Sim, searchPath = "/usr/bin:/bin"): SimProject {
  const cache = `${tree.root}-cache`;
  const config = `${tree.root}-config`;
  const env = {
    PATH: searchPath,
    ANTHROPIC_BASE_URL: sim.url,
    ANTHROPIC_API_KEY: "not-a-real-key",
    XDG_CACHE_HOME: cache,
    XDG_CONFIG_HOME: config,
  };
  return {
    root: tree.root,
    sim,
    env,
    path: tree.path,
    assay: (...args) => assay(args, { cwd: tree.root, env }),
    json: async <T>(relative: string) => JSON.parse(await readFile(tree.path(relative), "utf8")) as T,
    async [Symbol.asyncDispose]() {
      await sim.close();
      await tree[Symbol.asyncDispose]();
      for (const folder of [cache, config]) await rm(folder, { recursive: true, force: true });
    },
  };
}
