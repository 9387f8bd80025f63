import { execFileSync } from "node:child_process";
import { appendFile, cp, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseScript, readScript } from "../../src/gateway/sim/read-script.ts";
import type { SimScript } from "../../src/gateway/sim/script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { EXAMPLES } from "./examples.ts";
import { type SimProject, simProject } from "./sim-project.ts";
import { type TempTree, tempTree } from "./temp-tree.ts";

/** A committed project whose proposing and judging model is a scripted service. */
export interface ImproveProject extends SimProject {
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
  return committed(tree, parseScript(JSON.stringify({ rules: [...rules, NEVER] })));
}

/** A script must not be empty. */
const NEVER: SimRule = { when: { model: "no-such-model" }, reply: "never said" };

/**
 * A copy of an example, its model being the demo's with `script`, a file or rules, before it. `change` is made before the commit.
 */
export async function exampleProject(
  name: string,
  script: string | readonly SimRule[],
  change: (tree: TempTree) => Promise<void> = async () => {},
): Promise<ImproveProject> {
  const tree = await tempTree();
  await cp(join(EXAMPLES, name), tree.root, { recursive: true });
  await appendFile(tree.path(".gitignore"), ".assay/\n");
  await change(tree);
  const before =
    typeof script === "string" ? await readScript(script) : parseScript(JSON.stringify({ rules: script }));
  const demo = await readScript(join(EXAMPLES, "demo", `${name}.model.yaml`));
  return committed(tree, { rules: [...before.rules, ...demo.rules], replies: demo.replies });
}

async function committed(tree: TempTree, script: SimScript): Promise<ImproveProject> {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd: tree.root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "start");
  const sim = await startSim(script);
  return { ...simProject(tree, sim), text: (relative) => readFile(tree.path(relative), "utf8"), git };
}

/**
 * Everything that rounds leave beside the runs, and the skill itself, by path; times are taken out. The iterations stand for
 * themselves by the scores and comparisons that came of them.
 */
export async function roundArtifacts(
  project: Pick<ImproveProject, "path">,
  suite: string,
  skill: string,
): Promise<Readonly<Record<string, string>>> {
  const root = project.path(`.assay/${suite}`);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => /^(?:history\.json$|v\d+\/|grading\/)/.test(path) && !path.endsWith(".tmp"))
    .toSorted();
  const read = async (path: string) => (await readFile(path, "utf8")).replaceAll(TIMESTAMP, "<time>");
  const found = await Promise.all(
    files.map(async (path): Promise<[string, string]> => [path, await read(join(root, path))]),
  );
  return { ...Object.fromEntries(found), [skill]: await read(project.path(skill)) };
}

const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
