import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { type Sim, startSim } from "../../src/gateway/sim/server.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

const run = promisify(execFile);

export const skillText = (says: string, name = "greeter") =>
  `---\nname: ${name}\ndescription: Greets people by name.\n---\n\nSay ${says}.\n`;

/** Cases that ask for a word in what the agent wrote. */
export const evalsAsking = (word: string, cases = 3, name = "greeter") =>
  JSON.stringify(
    {
      skill_name: name,
      evals: Array.from({ length: cases }, (_, at) => ({
        id: at + 1,
        prompt: `Use ${name} for number ${at + 1}.`,
        assay: { checks: [{ type: "file_matches", path: "said.txt", pattern: word }] },
      })),
    },
    null,
    2,
  );

/** A model that does what the installed skill says. */
const WORK = `      - [{ tool: bash, input: { command: "cat .claude/skills/*/SKILL.md > said.txt; env > env.txt; sh .claude/skills/*/go.sh; true" } }]
      - Done.
`;
const MODEL = `rules:
  - when: { skillMissing: welcome, userText: welcome }
    steps:
${WORK}  - when: { userText: welcome }
    steps:
      - [{ tool: skill, input: { name: welcome } }]
${WORK}  - steps:
      - [{ tool: skill, input: { name: greeter } }]
${WORK}`;

const BASE = {
  "assay.config.json": '{ "harness": "builtin", "cassettes": "recordings" }',
  "skills/greeter/SKILL.md": skillText("Bye"),
  "skills/greeter/evals/evals.json": evalsAsking("Hello"),
};

/** A repository with a base branch, the change checked out, and a model service. */
export interface Change extends AsyncDisposable {
  readonly root: string;
  readonly path: (relative: string) => string;
  readonly git: (...args: readonly string[]) => Promise<string>;
  /** Writes files (null removes one) and commits them to the change. */
  readonly commit: (files: Readonly<Record<string, string | null>>) => Promise<void>;
  /** With a key and the service in reach. */
  readonly env: Readonly<Record<string, string>>;
  readonly sim: Sim;
}

export const KEY = "sk-ant-ci-0123456789abcdef";

export async function change(
  files: Readonly<Record<string, string | null>>,
  base: Readonly<Record<string, string>> = BASE,
): Promise<Change> {
  const tree = await tempTree(base);
  const sim = await startSim(parseScript(MODEL));
  const git = async (...args: readonly string[]) => {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    return (await run("git", [...who, ...args], { cwd: tree.root })).stdout;
  };
  await git("init", "-q", "-b", "main");
  await git("add", "-A");
  await git("commit", "-qm", "base");
  await git("checkout", "-qb", "change");
  const commit: Change["commit"] = async (some) => {
    await write(tree, some);
    await git("add", "-A");
    await git("commit", "-qm", "change", "--allow-empty");
  };
  await commit(files);
  return {
    root: tree.root,
    path: tree.path,
    git,
    commit,
    sim,
    env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: sim.url },
    async [Symbol.asyncDispose]() {
      await sim.close();
      await tree[Symbol.asyncDispose]();
    },
  };
}

async function write(tree: TempTree, files: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(tree.root, name);
    await mkdir(dirname(path), { recursive: true });
    if (text === null) await rm(path, { recursive: true });
    else await writeFile(path, text);
  }
}
