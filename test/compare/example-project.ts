import { execFileSync } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { type Sim, startSim } from "../../src/gateway/sim/server.ts";
import { assay, type CommandOutcome } from "../support/command-line.ts";
import { EXAMPLES } from "../support/examples.ts";
import { tempTree } from "../support/temp-tree.ts";

export const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), "fixtures");

/** A copy of one of the examples, and a model service that plays its agent, its judge and, for two versions, its comparator. */
export interface ExampleProject extends AsyncDisposable {
  readonly root: string;
  readonly sim: Sim;
  readonly env: Readonly<Record<string, string>>;
  readonly path: (relative: string) => string;
  readonly assay: (...args: readonly string[]) => Promise<CommandOutcome>;
  /** `assay run` on the builtin agent, with these words of SKILL.md replaced. */
  readonly run: (
    change: readonly [from: string, to: string] | null,
    ...args: readonly string[]
  ) => Promise<CommandOutcome>;
  readonly write: (change: readonly [from: string, to: string] | null) => Promise<void>;
  readonly git: (...args: readonly string[]) => string;
  /** How many requests a rule of the script has answered. */
  readonly asked: (...rules: readonly string[]) => number;
}

/** How agents are run, and who judges. */
export const BUILTIN = ["--harness", "builtin", "--trust", "--transport", "api"];

/** `skill` is its path in the example; `words` a file of rules that come before those of the demo. */
export async function exampleProject(name: string, skill: string, words: string): Promise<ExampleProject> {
  const tree = await tempTree();
  await cp(join(EXAMPLES, name), tree.root, { recursive: true });
  const demo = parse(await readFile(join(EXAMPLES, "demo", `${name}.model.yaml`), "utf8")) as Script;
  const own = parse(await readFile(join(FIXTURES, "examples", words), "utf8")) as Script;
  const script = { rules: [...own.rules, ...demo.rules], replies: demo.replies };
  const sim = await startSim(parseScript(JSON.stringify(script)));
  const env = {
    PATH: process.env["PATH"] ?? "",
    ANTHROPIC_BASE_URL: sim.url,
    ANTHROPIC_API_KEY: "not-a-real-key",
  };
  const file = tree.path(join(skill, "SKILL.md"));
  const original = await readFile(file, "utf8");
  const write: ExampleProject["write"] = async (change) => {
    if (change !== null && !original.includes(change[0]))
      throw new Error(`SKILL.md does not say ${change[0]}`);
    await writeFile(file, change === null ? original : original.replace(...change));
  };
  const call = (...args: readonly string[]) => assay(args, { cwd: tree.root, env });
  return {
    root: tree.root,
    sim,
    env,
    path: tree.path,
    assay: call,
    write,
    async run(change, ...args) {
      await write(change);
      return call("run", skill, "--mode", "artifact", ...BUILTIN, ...args);
    },
    git: (...args) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
        cwd: tree.root,
        encoding: "utf8",
      }),
    asked: (...rules) => sim.requests.filter(({ rule }) => rules.includes(rule ?? "")).length,
    async [Symbol.asyncDispose]() {
      await sim.close();
      await tree[Symbol.asyncDispose]();
    },
  };
}

interface Script {
  readonly rules: readonly unknown[];
  readonly replies: readonly unknown[];
}
