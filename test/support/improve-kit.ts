import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { type Sim, startSim } from "../../src/gateway/sim/server.ts";
import { assay, type CommandOutcome } from "./command-line.ts";
import { type TempTree, tempTree } from "./temp-tree.ts";

/** A committed project whose proposing and judging model is a scripted service. */
export interface ImproveProject extends AsyncDisposable {
  readonly root: string;
  readonly sim: Sim;
  readonly path: TempTree["path"];
  readonly assay: (...args: readonly string[]) => Promise<CommandOutcome>;
  readonly text: (relative: string) => Promise<string>;
  readonly git: (...args: readonly string[]) => string;
}

export interface SimRule {
  readonly [key: string]: unknown;
}

export async function improveProject(
  files: Readonly<Record<string, string>>,
  rules: readonly SimRule[],
): Promise<ImproveProject> {
  const tree = await tempTree({ "assay.config.json": "{}", ".gitignore": ".assay/\n", ...files });
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: tree.root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "start");
  const sim = await startSim(parseScript(JSON.stringify({ rules: [...rules, NEVER] })));
  const env = { PATH: "/usr/bin:/bin", ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "not-a-real-key" };
  return {
    root: tree.root,
    sim,
    path: tree.path,
    assay: (...args) => assay(args, { cwd: tree.root, env }),
    text: (relative) => readFile(tree.path(relative), "utf8"),
    git,
    async [Symbol.asyncDispose]() {
      await sim.close();
      await tree[Symbol.asyncDispose]();
    },
  };
}

/** A script must not be empty. */
const NEVER: SimRule = { when: { model: "no-such-model" }, reply: "never said" };
