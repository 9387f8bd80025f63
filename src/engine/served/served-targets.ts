import { createHash } from "node:crypto";
import { chmod, mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { findProgram } from "../../lib/find-program.ts";
import { converse, RpcError } from "../../lib/json-rpc.ts";
import { plural } from "../../lib/plural.ts";
import { shellWords } from "../../lib/shell-words.ts";
import { temporaryFor } from "../../lib/temporary-name.ts";
import type { Machine } from "../../machine.ts";
import { createSandbox, findSandbox } from "../../run/choose-sandbox.ts";
import { installationOf } from "../../run/installation.ts";
import { type ServerCommand, startServer } from "../../run/served/start-server.ts";
import { openOwnedFolder, ownedToken } from "../../run/workspace/owned-folder.ts";
import { projectFolder } from "../../store/layout.ts";
import { digest, trustMemory } from "../trust-memory.ts";
import { MOST_SKILL_BYTES } from "./entry.ts";
import { type FetchedSkill, fetchSkills } from "./fetch-skills.ts";

const PREFIX = "mcp:";

/** Does it name a server that serves skills, and not a path? */
export function isServed(target: string): boolean {
  return target.startsWith(PREFIX);
}

export interface ServedOptions {
  /** Absolute; fetched skills are kept in it. */
  readonly results: string;
  readonly sandbox: string;
  readonly network: "auto" | "host" | "gateway" | "none";
  readonly trust: boolean;
  /** Null: the usual time. */
  readonly timeoutSeconds: number | null;
  readonly machine: Machine;
  readonly signal: AbortSignal;
}

/**
 * The targets with servers replaced by folders that hold what they serve, pinned by its digests. The programs run only with
 * consent and inside the sandbox; nothing is written unless all of a skill is as its server says.
 */
export async function withServedSkills(
  targets: readonly string[],
  options: ServedOptions,
): Promise<readonly string[]> {
  const found = await Promise.all(
    targets.filter(isServed).map(async (target) => [target, await readTarget(target, options)] as const),
  );
  if (found.length === 0) return targets;
  await askForServers(
    found.map(([target]) => target.slice(PREFIX.length)),
    options,
  );
  const folders = new Map<string, readonly string[]>();
  for (const [target, server] of found) folders.set(target, await fetched(server, options));
  return targets.flatMap((target) => folders.get(target) ?? [target]);
}

interface ServerTarget {
  readonly label: string;
  readonly command: ServerCommand;
  /** Null: all that it lists. */
  readonly wanted: string | null;
}

async function readTarget(target: string, { machine }: ServedOptions): Promise<ServerTarget> {
  const [, line = "", wanted = null] = /^mcp:(.*?)(?:#([^#\s]+))?$/s.exec(target) ?? [];
  const [name, ...args] = shellWords(line) ?? [];
  if (name === undefined)
    throw new UserError("served/bad-target", `${JSON.stringify(target)} names no server program`, {
      hint: 'write mcp:"command args", with #skill-name behind it for one of its skills',
    });
  const searchPath = machine.env["PATH"] ?? "";
  const program = await findProgram(name, searchPath, machine.cwd);
  if (program === null)
    throw new UserError("served/no-program", `the server program ${JSON.stringify(name)} was not found`, {
      hint: "install it, or write its path",
    });
  const real = await realpath(program);
  const files = await Promise.all(args.map((word) => existing(resolve(machine.cwd, word))));
  const paths = args.map((word, at) => files[at] ?? word);
  const readable = [
    ...installationOf(real),
    ...files.flatMap((file) => (file === null ? [] : [dirname(file)])),
  ];
  return { label: line.trim(), wanted, command: { program: real, args: paths, readable, searchPath } };
}

async function existing(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? await realpath(path) : null;
}

async function askForServers(commands: readonly string[], { trust, machine }: ServedOptions): Promise<void> {
  if (trust) return;
  const memory = trustMemory(machine, "trusted-servers");
  const known = await memory.read();
  const open = commands.filter((command) => !known.has(digest(command)));
  if (open.length === 0) return;
  const agreed = await machine.consent({ kind: "run-servers", commands: open });
  if (agreed === null)
    throw new UserError(
      "run/untrusted-server",
      `${plural(open.length, "server program")} would run, and nobody has approved that: ${open.join(", ")}`,
      { hint: "use --trust; or run once in a terminal and answer yes" },
    );
  if (!agreed) throw new UserError("run/untrusted-server", "the server was refused, so nothing was run");
  await memory.add(open.map(digest));
}

const USUAL_SECONDS = 30;

async function fetched(
  { label, command, wanted }: ServerTarget,
  options: ServedOptions,
): Promise<readonly string[]> {
  const { machine, signal, results } = options;
  await using folder = await openOwnedFolder(tmpdir(), { token: ownedToken("served"), pid: process.pid });
  const { name } = await findSandbox(options.sandbox, tmpdir());
  // A server beside the project's files is one of them, and sees them.
  const hidden = [results, ...(command.readable.includes(machine.cwd) ? [] : [machine.cwd])];
  const sandbox = createSandbox(name, { hidden, home: machine.home });
  const reach = options.network === "host" || sandbox.closesNetwork === undefined ? "host" : "none";
  await using server = await startServer(command, { sandbox, folder: folder.path, reach });
  const answerMs = (options.timeoutSeconds ?? USUAL_SECONDS) * 1000;
  const talk = converse(server.output, server.input, { mostBytes: 4 * MOST_SKILL_BYTES, answerMs, signal });
  let skills: readonly FetchedSkill[];
  try {
    skills = await fetchSkills(talk, wanted);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RpcError)) throw error;
    const said = server.said().trim().split("\n").at(-1) ?? "";
    throw new UserError(
      "served/no-answer",
      `${label}: ${error.message}${said === "" ? "" : ` (${said.slice(0, 200)})`}`,
      {
        hint: "start it by hand to see what is wrong; inside the sandbox it has no network, unless you use --network host",
      },
    );
  }
  const folders: string[] = [];
  for (const skill of skills) {
    const pinned = pinOf(label, skill);
    folders.push(await keep(skill, projectFolder(results).served(pinned)));
    machine.note(
      `${skill.entry.uri} is pinned as sha256:${pinned} (${plural(skill.entry.files.length, "file")})`,
    );
  }
  return folders;
}

/** Of who serves it, which skill it is, and every file of it. */
function pinOf(label: string, { entry }: FetchedSkill): string {
  const files = entry.files
    .map(({ path, sha256 }) => [path, sha256])
    .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([label, entry.uri, files]))
    .digest("hex");
}

/** Whole or not at all: made beside and moved into place. */
async function keep({ entry, contents }: FetchedSkill, parent: string): Promise<string> {
  const made = temporaryFor(parent);
  const root = join(made, entry.name);
  try {
    for (const [path, bytes] of contents) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), bytes, { flag: "wx" });
      if (bytes.subarray(0, 2).toString("latin1") === "#!") await chmod(join(root, path), 0o755);
    }
    await rm(parent, { recursive: true, force: true });
    await rename(made, parent);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return join(parent, entry.name);
}
