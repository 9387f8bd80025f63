import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "../process/command.ts";
import { firstProcess, type ProcessLimits, systemProgram } from "../process/namespace.ts";
import { whyItFails } from "../process/probe.ts";
import { TRIAL_MARK } from "../process/stop.ts";
import type { Sandbox, TrialGround } from "../sandbox.ts";

export interface SandboxRuntimeOptions {
  /** Folders that must stay unseen: the project, its results, other trials. */
  readonly hidden?: readonly string[];
  /** The user's home directory, of which only tools are seen. */
  readonly home?: string;
  /** Programs of this machine that all trials may use. */
  readonly tools?: readonly string[];
  /** Absent: none but the system's own. */
  readonly limits?: ProcessLimits;
}

/**
 * Anthropic's sandbox-runtime, where it is installed: bubblewrap with a seccomp filter on Linux, the system's own sandbox on
 * macOS. It hides what is named; what it is not told of can be read. Paths are those of the machine, so no overlays.
 */
export function sandboxRuntime(options: SandboxRuntimeOptions = {}): Sandbox {
  const contained = process.platform === "linux";
  const sandbox: Sandbox = {
    name: "sandbox-runtime",
    contained,
    hidesFiles: true,
    closesNetwork: "wholly",
    ...(contained && process.getuid?.() === 0 && { caution: ROOT_CAUTION }),
    async unavailable() {
      const found = await load();
      if ("why" in found) return found.why;
      const { errors } = found.manager.checkDependencies();
      return errors.length > 0 ? errors.join("; ") : whyItFails(sandbox);
    },
    places({ workspace, home, temp }) {
      return {
        workspace: workspace.kind === "overlay" ? workspace.mountPoint : workspace.path,
        home,
        temp,
      };
    },
    async wrap(command, ground) {
      if (ground.workspace.kind === "overlay") throw new Error("sandbox-runtime mounts no overlays");
      const found = await load();
      if ("why" in found) throw new Error(found.why);
      const inside = contained ? contain(command, options.limits) : [command.program, ...command.args];
      const marked = contained ? command.env : { ...command.env, [TRIAL_MARK]: ground.home };
      const words = ["/usr/bin/env", "-i", ...settings(marked), ...inside];
      const line = `exec ${words.map(quoted).join(" ")}`;
      const { argv } = await found.manager.wrapWithSandboxArgv(line, shell(), {
        filesystem: view(ground, options, found.folder),
        ...(ground.reach === "none" && { network: { allowedDomains: [], deniedDomains: [] } }),
      });
      const [, ...args] = argv;
      return { ...command, program: shell(), args, env: { PATH: SYSTEM_PATH, ...mark(marked) } };
    },
  };
  return sandbox;
}

const ROOT_CAUTION =
  "inside sandbox-runtime, root can change this machine's kernel settings: run Assay as another user, or with --sandbox bwrap";

/** What of the package is used. */
interface Manager {
  updateConfig(config: RuntimeConfig): void;
  checkDependencies(): { readonly errors: readonly string[] };
  wrapWithSandboxArgv(
    command: string,
    shell: string,
    config: Partial<RuntimeConfig>,
  ): Promise<{ readonly argv: readonly string[] }>;
}

interface RuntimeConfig {
  /** Without a list of domains the network is as open as outside; with an empty one, and no proxies, there is none. */
  readonly network: {
    readonly allowedDomains?: readonly string[];
    readonly deniedDomains: readonly string[];
  };
  readonly filesystem: FilesystemView;
}

interface FilesystemView {
  readonly denyRead: readonly string[];
  readonly allowRead: readonly string[];
  readonly allowWrite: readonly string[];
  readonly denyWrite: readonly string[];
}

type Loaded = { readonly manager: Manager; readonly folder: string } | { readonly why: string };

const PACKAGE = "@anthropic-ai/sandbox-runtime";
const INSTALL = `npm install ${PACKAGE}`;

/** It keeps one configuration for the whole process, so it is opened once. */
let loading: Promise<Loaded> | null = null;
const load = (): Promise<Loaded> => (loading ??= open());

async function open(): Promise<Loaded> {
  const manifest = manifestPath();
  if (manifest === null) return { why: `${PACKAGE} is not installed (${INSTALL})` };
  const { version, main, engines } = JSON.parse(readFileSync(manifest, "utf8")) as {
    version: string;
    main: string;
    engines?: { node?: string };
  };
  const needs = /(\d+)\.(\d+)/.exec(engines?.node ?? "");
  if (needs !== null && isOlder(process.versions.node, [Number(needs[1]), Number(needs[2])]))
    return {
      why: `${PACKAGE} ${version} needs Node ${needs[0]}, and this is ${process.versions.node}: use a newer Node, or ${INSTALL}@${LAST_FOR_NODE_20}`,
    };
  const folder = dirname(manifest);
  try {
    const { SandboxManager: manager } = (await import(pathToFileURL(join(folder, main)).href)) as {
      SandboxManager: Manager;
    };
    const filesystem = { denyRead: [], allowRead: [], allowWrite: [], denyWrite: [] };
    // Not initialize(): it starts proxies for a network that is left open, and they would keep Assay from ending.
    manager.updateConfig({ network: { deniedDomains: [] }, filesystem });
    return { manager, folder };
  } catch (error) {
    return {
      why: `${PACKAGE} ${version} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

const LAST_FOR_NODE_20 = "0.0.78";

/** Beside Assay itself, never in the project under test. */
function manifestPath(): string | null {
  const folders = createRequire(import.meta.url).resolve.paths(PACKAGE) ?? [];
  const found = folders
    .map((folder) => join(folder, PACKAGE, "package.json"))
    .find((path) => existsSync(path));
  return found === undefined ? null : realpathSync(found);
}

function isOlder(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ours = 0, detail = 0] = version.split(".").map(Number);
  return ours < major || (ours === major && detail < minor);
}

/** Homes, temporary files, sockets and what is hidden are covered; the trial's own, its agent and tools are shown in them. */
function view(
  { workspace, home, temp, readable }: TrialGround,
  { hidden = [], home: user, tools = [] }: SandboxRuntimeOptions,
  runtime: string,
): FilesystemView {
  const own = [workspace.kind === "overlay" ? workspace.mountPoint : workspace.path, home, temp];
  const shown = [...readable, ...tools, runtime, ...NETWORK_FILES.map(real)];
  const isHidden = (path: string) =>
    hidden.some((folder) => isAtOrBelow(path, folder) && !readable.includes(path));
  const root = process.getuid?.() === 0 ? ROOT_SECRETS : [];
  const deny = [...COVERED, ...(user === undefined ? [] : [user]), ...hidden, ...root];
  return {
    denyRead: [...new Set(deny.filter(existsSync).map(real))],
    allowRead: [
      ...new Set([...own, ...shown.filter((path) => existsSync(path) && !isHidden(path)).map(real)]),
    ],
    allowWrite: own,
    denyWrite: [],
  };
}

const COVERED = ["/root", "/home", "/Users", "/tmp", "/var/tmp", "/run", "/mnt", "/media", "/srv"];
const ROOT_SECRETS = ["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers"];
const NETWORK_FILES = ["/etc/resolv.conf", "/etc/hosts"];
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

function contain({ program, args }: Command, limits?: ProcessLimits): readonly string[] {
  return [systemProgram("sh") ?? "/bin/sh", ...firstProcess(program, [program, ...args], limits)];
}

function shell(): string {
  return systemProgram("bash") ?? "/bin/bash";
}

function settings(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}

/** By which processes are found again where nothing contains them. */
function mark(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const value = env[TRIAL_MARK];
  return value === undefined ? {} : { [TRIAL_MARK]: value };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
