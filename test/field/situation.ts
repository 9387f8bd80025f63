import { spawnSync } from "node:child_process";
import { chmod, chown, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemProgram } from "../../src/run/process/namespace.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { type Clients, PROJECT } from "./cell.ts";
import { type Ended, realProcess } from "./real-process.ts";
import { GOOD, HOLD, type StrictService } from "./strict-service.ts";

export const SANDBOXES = ["bwrap", "unshare", "none"] as const;
export type SandboxName = (typeof SANDBOXES)[number];

type Files = Readonly<Record<string, string>>;

/** A machine, a project and a user, with one agent that is logged in by a key. */
export interface Situation {
  readonly title: string;
  /** Null: whoever runs the tests. */
  readonly user: "root" | "plain user" | null;
  readonly agent: "claude" | "codex" | "command";
  readonly home?: Files;
  readonly project?: Files;
  /** Directories on PATH before the system's. */
  readonly path?: (home: string) => readonly string[];
  readonly args?: readonly string[];
  /** While an agent works, another Assay runs in a PID namespace of its own with the same TMPDIR. */
  readonly beside?: true;
}

const evals = (...cases: readonly object[]) => ({
  "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals: cases }),
});
const hello = (needle = "Hello Ada") => ({ assay: { checks: [{ type: "contains", needle }] } });

/** Says whatever the tool says. */
const CALLS_TOOL = { "agent.sh": "#!/bin/sh\ncat > /dev/null\ngreet-tool\n" };
const TOOL = "#!/bin/sh\necho Hello Ada\n";
const withTool = (title: string, tool: string, path: (home: string) => readonly string[]): Situation => ({
  title,
  user: null,
  agent: "command",
  home: { [tool]: TOOL },
  project: { ...CALLS_TOOL, ...evals({ id: 1, prompt: "Greet", ...hello() }) },
  path,
});
const MANY = Array.from({ length: 500 }, (_, at) => `tools/${at}`);

export const SITUATIONS: readonly Situation[] = [
  { title: "root", user: "root", agent: "claude" },
  { title: "a plain user", user: "plain user", agent: "claude" },
  withTool("a tool in `~/.local/bin`", ".local/bin/greet-tool", (home) => [join(home, ".local/bin")]),
  {
    title: "an AGENTS.md project (codex)",
    user: null,
    agent: "codex",
    project: {
      "AGENTS.md": "Be formal.\n",
      ...evals({ id: 1, prompt: "Greet Ada", ...hello("Good day Ada") }),
    },
  },
  {
    title: "two cases with the same prompt, at once",
    user: null,
    agent: "claude",
    project: evals(
      ...[1, 2].map((id) => ({ id, prompt: "Greet Ada", expectations: ["The answer greets Ada"] })),
    ),
    args: ["--concurrency", "2"],
  },
  {
    title: "a second Assay in another PID namespace",
    user: null,
    agent: "claude",
    project: evals({
      id: 1,
      prompt: `${HOLD} Greet Ada in answer.txt`,
      assay: { checks: [{ type: "file_exists", path: "answer.txt" }] },
    }),
    beside: true,
  },
  {
    ...withTool("500 directories on PATH, the tool in the last", "tools/499/greet-tool", (home) =>
      MANY.map((name) => join(home, name)),
    ),
    home: { "tools/499/greet-tool": TOOL, ...Object.fromEntries(MANY.map((name) => [`${name}/`, ""])) },
  },
  withTool("500 directories on PATH that are not there", ".local/bin/greet-tool", (home) => [
    ...MANY.map((name) => `/nonexistent/${name}`),
    join(home, ".local/bin"),
  ]),
  withTool("relative directories on PATH beside the tool's", ".local/bin/greet-tool", (home) => [
    "bin",
    ".",
    "../up",
    join(home, ".local/bin"),
  ]),
];

/** An identity that owns nothing. */
const NOBODY = 65_534;

const isRoot = process.getuid?.() === 0;

export interface Surroundings {
  /** The built command. */
  readonly command: string;
  readonly clients: Clients;
  readonly service: () => Promise<StrictService>;
}

/** Can this be tried by whoever runs the tests? Asked of the system, not of Assay. */
export function isPossible({ user, beside }: Situation, sandbox: SandboxName): boolean {
  if (user === "root" && !isRoot) return false;
  const as = uidOf(user);
  return (sandbox === "none" || works(sandbox, as)) && (beside === undefined || works("unshare", as));
}

const PROBES = {
  bwrap: ["--ro-bind", "/", "/", "--unshare-user", "--unshare-pid", "true"],
  unshare: ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "true"],
};
const NAMESPACE = PROBES.unshare.slice(0, -1);

function works(program: keyof typeof PROBES, as: number | undefined): boolean {
  const user = as === undefined ? {} : { uid: as, gid: as };
  return spawnSync(systemProgram(program) ?? "none", PROBES[program], { cwd: "/", ...user }).status === 0;
}

/** Absent: whoever runs the tests, who is a plain user unless root. */
export function uidOf(user: Situation["user"]): number | undefined {
  return user === "plain user" && isRoot ? NOBODY : undefined;
}

export interface SituationRun extends Ended, AsyncDisposable {
  readonly project: TempTree;
  /** What became of the Assay beside it; null: there was none. */
  readonly beside: Ended | null;
}

export async function runSituation(
  situation: Situation,
  sandbox: SandboxName,
  { command, clients, service: start }: Surroundings,
): Promise<SituationRun> {
  const { agent, user, path = () => [] } = situation;
  const home = await tempTree({ "tmp/": "", ...situation.home });
  const project = await projectOf(situation, clients);
  const as = uidOf(user);
  for (const tree of [home, project]) await makeUsable(tree.root, as);
  await using service = await start();
  const env = {
    PATH: [...path(home.root), project.path("bin"), dirname(process.execPath), "/usr/bin:/bin"].join(":"),
    HOME: home.root,
    TMPDIR: home.path("tmp"),
    ANTHROPIC_API_KEY: GOOD.anthropicKey,
    ANTHROPIC_BASE_URL: service.url,
    ...(agent === "codex" && { OPENAI_API_KEY: GOOD.openaiKey, OPENAI_BASE_URL: service.url }),
  };
  const harness = agent === "claude" ? "claude-code" : agent;
  const more = agent === "command" ? ["--command", project.path("agent.sh")] : [];
  const words = ["run", "skills/greeter", "--harness", harness, "--sandbox", sandbox, ...more];
  const call = [process.execPath, command, ...words, ...(situation.args ?? [])];
  const at = { cwd: project.root, env, ...(as !== undefined && { as }) };
  const running = realProcess(call, at);
  const begun = Promise.race([service.held, running]);
  const beside = situation.beside === true ? await besideIt(call, at, { service, begun }) : null;
  const ended = await running;
  return {
    ...ended,
    beside,
    project,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

/** A whole run of the same skill in a PID namespace, begun and ended while the first one's agent works. */
async function besideIt(
  [node = "", command = "", ...words]: readonly string[],
  at: Parameters<typeof realProcess>[1],
  { service, begun }: { service: StrictService; begun: Promise<unknown> },
): Promise<Ended> {
  await using other = await tempTree(PROJECT);
  await begun;
  const call = [systemProgram("unshare") ?? "none", ...NAMESPACE, node, command, ...words];
  const ended = await realProcess(call, { ...at, cwd: other.root });
  service.release();
  return ended;
}

function projectOf({ project = {} }: Situation, clients: Clients): Promise<TempTree> {
  return tempTree({
    ...PROJECT,
    "bin/claude": `->${clients.claude}`,
    "bin/codex": `->${clients.codex}`,
    ...project,
  });
}

/** Programs can be run, and everything belongs to the user of the situation. */
export async function makeUsable(root: string, as: number | undefined): Promise<void> {
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && /-tool$|\.sh$/.test(entry.name)) await chmod(path, 0o755);
    if (as !== undefined && !entry.isSymbolicLink()) await chown(path, as, as);
  }
  if (as !== undefined) await chown(root, as, as);
}

/** What every user of this machine may read and run. */
export async function openToAll(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) await chmod(folder, 0o755);
}
