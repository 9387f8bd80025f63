import type { Command } from "../process/command.ts";
import {
  firstProcess,
  type ProcessLimits,
  systemProgram,
  withOverlay,
  type OverlayTools,
} from "../process/namespace.ts";
import { joining } from "../network/cell.ts";
import { whyItFails } from "../process/probe.ts";
import type { Places, Sandbox, TrialGround } from "../sandbox.ts";
import { machineView, type MachineView } from "../machine-view.ts";

export interface BwrapOptions {
  /** Folders that must stay unseen even where they lie in a system directory: the project, its results, other trials. */
  readonly hidden?: readonly string[];
  /** The user's home directory, of which only tools are seen. */
  readonly home?: string;
  /** Programs of this machine that all trials may use, with what they are installed with; never what is hidden. */
  readonly tools?: readonly string[];
  /** Absent: none but the system's own. */
  readonly limits?: ProcessLimits;
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Bubblewrap: a read-only system, the trial's own directories at constant paths, and nothing else of the machine but
 * its network. No capabilities, even for root.
 */
export function bwrap(options: BwrapOptions = {}): Sandbox {
  const tools = findTools();
  const uid = options.uid ?? process.getuid?.() ?? 0;
  const gid = options.gid ?? process.getgid?.() ?? 0;
  const { hidden = [], home = null, tools: shown = [] } = options;
  const view = machineView({ hidden, home, tools: shown, root: uid === 0 });
  const sandbox: Sandbox = {
    name: "bwrap",
    contained: true,
    hidesFiles: true,
    closesNetwork: true,
    async unavailable() {
      if (process.platform !== "linux") return "bubblewrap needs Linux";
      if (systemProgram("bwrap") === null) return "bubblewrap (bwrap) is not installed";
      if (tools === null) return "util-linux (unshare, nsenter, mount) is not installed";
      return whyItFails(sandbox);
    },
    places: () => PLACES,
    wrap(command, ground) {
      if (tools === null) throw new Error("bwrap was asked to wrap a command where it is not installed");
      const inside = [
        tools.sh,
        ...firstProcess(command.program, [command.program, ...command.args], options.limits),
      ];
      const mounts = mountsOf(ground, view);
      const { reach = "host" } = ground;
      const network = reach === "none" ? ["--unshare-net"] : [];
      const args = [...isolation(uid, gid), ...network, ...mounts, "--chdir", command.cwd, "--", ...inside];
      const wrapped: Command = { ...command, cwd: "/", program: tools.bwrap, args };
      const mounted =
        ground.workspace.kind === "overlay" ? withOverlay(wrapped, ground.workspace, tools) : wrapped;
      return typeof reach === "string" ? mounted : inCell(mounted, reach.cellPid, tools.nsenter);
    },
  };
  return sandbox;
}

const PLACES: Places = { workspace: "/sandbox/workspace", home: "/sandbox/home", temp: "/tmp" };

/** --as-pid-1 makes `sh` the namespace's first process, so that bwrap ends only when all that ran inside is gone. */
function isolation(uid: number, gid: number): readonly string[] {
  return [
    ["--unshare-user", "--uid", String(uid), "--gid", String(gid), "--cap-drop", "ALL"],
    ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox"],
    ["--as-pid-1", "--die-with-parent", "--new-session"],
  ].flat();
}

/** The trial's directories cover what the machine has there; at last the root they were mounted on is closed. */
function mountsOf({ workspace, home, temp, readable }: TrialGround, view: MachineView): readonly string[] {
  const source = workspace.kind === "overlay" ? workspace.mountPoint : workspace.path;
  return [
    ["--bind", temp, PLACES.temp, "--symlink", PLACES.temp, "/var/tmp"],
    view.mounts(readable),
    // What lies in memory counts for no process and no disk.
    ["--bind", temp, "/dev/shm", "--remount-ro", "/dev"],
    ["--bind", source, PLACES.workspace, "--bind", home, PLACES.home],
    ["--remount-ro", "/"],
  ].flat();
}

/** The process stays the same. */
function inCell(command: Command, pid: number, nsenter: string): Command {
  return { ...command, program: nsenter, args: [...joining(pid), command.program, ...command.args] };
}

function findTools(): (OverlayTools & { readonly bwrap: string; readonly nsenter: string }) | null {
  const sh = systemProgram("sh");
  const mount = systemProgram("mount");
  const unshare = systemProgram("unshare");
  const bwrap = systemProgram("bwrap");
  const nsenter = systemProgram("nsenter");
  return sh === null || mount === null || unshare === null || bwrap === null || nsenter === null
    ? null
    : { sh, mount, unshare, bwrap, nsenter };
}
