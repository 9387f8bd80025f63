import { execFileSync } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import type { CommandOutcome } from "../support/command-line.ts";
import { EXAMPLES } from "../support/examples.ts";
import { simProject, type SimProject } from "../support/sim-project.ts";
import { tempTree } from "../support/temp-tree.ts";

export const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), "fixtures");

/** A copy of one of the examples, and a model service that plays its agent, its judge and, for two versions, its comparator. */
export interface ExampleProject extends SimProject {
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

/** The example by name, with the skill at this path in it; `around` may put rules before the others. */
export async function exampleProject(
  name: string,
  skill: string,
  around: (rules: readonly Rule[]) => readonly Rule[] = () => [],
): Promise<ExampleProject> {
  const tree = await tempTree();
  await cp(join(EXAMPLES, name), tree.root, { recursive: true });
  const demo = parse(await readFile(join(EXAMPLES, "demo", `${name}.model.yaml`), "utf8")) as Script;
  const own = parse(await readFile(join(FIXTURES, "examples", `${name}.model.yaml`), "utf8")) as Script;
  const rules = [...own.rules, ...demo.rules];
  const script = { rules: [...around(rules), ...rules], replies: demo.replies };
  const sim = await startSim(parseScript(JSON.stringify(script)));
  const project = simProject(tree, sim, process.env["PATH"]);
  const file = tree.path(join(skill, "SKILL.md"));
  const original = await readFile(file, "utf8");
  const write: ExampleProject["write"] = async (change) => {
    if (change !== null && !original.includes(change[0]))
      throw new Error(`SKILL.md does not say ${change[0]}`);
    await writeFile(file, change === null ? original : original.replace(...change));
  };
  return {
    ...project,
    write,
    async run(change, ...args) {
      await write(change);
      return project.assay("run", skill, "--mode", "artifact", ...BUILTIN, ...args);
    },
    git: (...args) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
        cwd: tree.root,
        encoding: "utf8",
      }),
    asked: (...rules) => sim.requests.filter(({ rule }) => rules.includes(rule ?? "")).length,
  };
}

/** A rule of the scripted model. */
export interface Rule {
  readonly name: string;
  readonly [key: string]: unknown;
}

interface Script {
  readonly rules: readonly Rule[];
  readonly replies: readonly unknown[];
}

const BY_EYE = [
  "Numbers come from the script, never from reading the file by eye.\n\n1. Run `python3 scripts/summary.py <file.csv>` (the script lies in this skill's folder). It prints JSON.",
  "1. Open the file and write down what you see.",
] as const;

/** Two iterations of csv-report: by a skill that has the file read by eye, and by the skill as it is. */
export async function csvReport(around?: Parameters<typeof exampleProject>[2]): Promise<ExampleProject> {
  const project = await exampleProject("csv-report", ".", around);
  await project.run(BY_EYE);
  await project.run(null);
  return project;
}

const LIST = [
  "Write for the person who uses the software, not for the person who wrote it.",
  "List the commits.",
] as const;

/** release-notes in a repository whose v1.0 has commits listed; HEAD is the skill as it is. */
export async function releaseNotes(around?: Parameters<typeof exampleProject>[2]): Promise<ExampleProject> {
  const project = await exampleProject("release-notes", ".", around);
  await project.write(LIST);
  project.git("init", "-q", "-b", "main");
  project.git("add", "-A");
  project.git("commit", "-qm", "list");
  project.git("tag", "v1.0");
  await project.write(null);
  project.git("commit", "-qam", "notes");
  return project;
}
