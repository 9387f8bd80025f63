import type { Command } from "../process/command.ts";
import { firstProcess, type ProcessLimits, systemProgram, withOverlay } from "../process/namespace.ts";
import { whyItFails } from "../process/probe.ts";
import type { Sandbox, TrialGround } from "../sandbox.ts";

export interface UnshareOptions {
  readonly user?: User;
  /** Absent: none but the system's own. */
  readonly limits?: ProcessLimits;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** util-linux: contains the processes and mounts overlays, but hides nothing of the machine. */
export function unshare(options: UnshareOptions = {}): Sandbox {
  const tools = findTools();
  const sandbox: Sandbox = {
    name: "unshare",
    contained: true,
    hidesFiles: false,
    async unavailable() {
      if (process.platform !== "linux") return "namespaces need Linux";
      if (tools === null) return "util-linux (unshare, setpriv, mount) is not installed";
      return whyItFails(sandbox);
    },
    places({ workspace, home, temp }) {
      return { workspace: workspace.kind === "overlay" ? workspace.mountPoint : workspace.path, home, temp };
    },
    wrap(command, ground) {
      if (tools === null) throw new Error("unshare was asked to wrap a command where it is not installed");
      return wrap(command, ground, { tools, user: options.user ?? thisUser(), limits: options.limits });
    },
  };
  return sandbox;
}

interface Tools {
  readonly sh: string;
  readonly mount: string;
  readonly unshare: string;
  readonly setpriv: string;
}

/**
 * First a user namespace, which forgets the parent-death signal; then that signal, so that the death of the runner
 * reaches the process which, by --kill-child, takes the PID namespace with it.
 */
function wrap(
  command: Command,
  ground: TrialGround,
  { tools, user, limits }: { tools: Tools; user: User; limits: ProcessLimits | undefined },
): Command {
  const argv = asUser([command.program, ...command.args], tools, user);
  const namespace = [
    "--pid",
    "--fork",
    "--kill-child",
    "--mount",
    "--mount-proc",
    `--wd=${command.cwd}`,
    "--",
  ];
  const inside = [...namespace, tools.sh, ...firstProcess(command.program, argv, limits)];
  const tethered = ["--pdeathsig", "KILL", "--", tools.unshare, ...inside];
  const outer = { ...command, cwd: "/", program: tools.setpriv, args: tethered };
  if (ground.workspace.kind === "overlay") return withOverlay(outer, ground.workspace, tools);
  return {
    ...outer,
    program: tools.unshare,
    args: ["--user", "--map-root-user", "--mount", "--", tools.setpriv, ...tethered],
  };
}

/** Namespaces make a plain user look like root, which some agents refuse to run as: turn that back. */
function asUser(argv: readonly string[], tools: Tools, { uid, gid }: User): readonly string[] {
  if (uid === 0) return argv;
  return [tools.unshare, "--user", `--map-user=${uid}`, `--map-group=${gid}`, "--", ...argv];
}

function findTools(): Tools | null {
  const sh = systemProgram("sh");
  const mount = systemProgram("mount");
  const unshare = systemProgram("unshare");
  const setpriv = systemProgram("setpriv");
  return sh === null || mount === null || unshare === null || setpriv === null
    ? null
    : { sh, mount, unshare, setpriv };
}

function thisUser(): User {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}
