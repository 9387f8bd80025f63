import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";

/** What of the machine a sandbox lets its programs see, as bwrap's mount arguments. */
export interface MachineView {
  mounts(readable: readonly string[]): readonly string[];
}

export interface ViewOptions {
  readonly hidden: readonly string[];
  /** Hidden too; but what tools there are in it is shown. Null: there is none. */
  readonly home: string | null;
  readonly tools: readonly string[];
  /** Programs run as root. */
  readonly root: boolean;
}

/**
 * Shows the system's own directories and what is asked for; homes, projects, sockets and other runs are not among them.
 * Of two paths, one inside the other, the inner one decides; of the same path, that it is hidden.
 */
export function machineView({ hidden, home, tools, root }: ViewOptions): MachineView {
  const system = systemMounts();
  const masks = root ? PROTECTED_PROC.filter(exists).flatMap((path) => ["--ro-bind", path, path]) : [];
  const secrets = root ? rootSecrets() : [];
  const kept = hidden.flatMap(withTarget);
  const concealed = [...kept, ...(home === null || home === sep ? [] : withTarget(home))];
  const isHidden = (path: string): boolean => concealed.some((folder) => isInside(path, folder));
  const shownTools = tools.filter(
    (path) => !system.covers(path) && !kept.some((folder) => isInside(path, folder)),
  );
  return {
    mounts(readable) {
      const asked = readable
        .flatMap(withTarget)
        .filter((path) => (!system.covers(path) || isHidden(path)) && !concealed.includes(path));
      const shown = [...new Set([...system.shown, ...shownTools, ...asked])].filter((path) => path !== sep);
      const unseen = concealed.filter(
        (path) => exists(path) && shown.some((folder) => isInside(path, folder)),
      );
      const layers = [
        ...unseen.map((path) => ({ path, mount: covered(path) })),
        ...shown.map((path) => ({ path, mount: ["--ro-bind-try", path, path] })),
      ];
      layers.sort((a, b) => a.path.length - b.path.length);
      return [
        ...system.links,
        ...layers.flatMap((layer) => layer.mount),
        ...secrets.flatMap((path) => ["--ro-bind", "/dev/null", path]),
        "--proc",
        "/proc",
        ...masks,
        "--dev",
        "/dev",
      ];
    },
  };
}

const SYSTEM_DIRECTORIES = [
  ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/sys"],
  ["/nix", "/gnu", "/snap", "/run/current-system", "/home/linuxbrew/.linuxbrew"],
].flat();

/** Files of /etc that point elsewhere on many systems and without which names do not resolve. */
const NETWORK_FILES = ["/etc/resolv.conf", "/etc/hosts"];

/** Root owns these, and owning is enough to change the machine through them: bwrap leaves them writable. */
const PROTECTED_PROC = [
  "/proc/bus",
  "/proc/fs",
  "/proc/irq",
  "/proc/sys",
  "/proc/sysrq-trigger",
  "/proc/mtrr",
];

interface SystemMounts {
  readonly links: readonly string[];
  readonly shown: readonly string[];
  /** Also true for a path that leads through one of the links: what it stands for is shown. */
  covers(path: string): boolean;
}

function systemMounts(): SystemMounts {
  const present = SYSTEM_DIRECTORIES.filter(exists);
  const linked = present.filter((path) => lstatSync(path).isSymbolicLink());
  const folders = present.filter((path) => !linked.includes(path));
  const covers = (path: string): boolean => present.some((folder) => isInside(path, folder));
  const elsewhere = NETWORK_FILES.filter(exists)
    .map((path) => realpathSync(path))
    .filter((path) => !covers(path));
  return {
    links: linked.flatMap((path) => ["--symlink", readlinkSync(path), path]),
    shown: [...folders, ...elsewhere],
    covers,
  };
}

/** What only root can read in the directories shown. */
function rootSecrets(): readonly string[] {
  const etc = ["shadow", "shadow-", "gshadow", "gshadow-", "sudoers"].map((name) => join("/etc", name));
  const hostKeys = exists("/etc/ssh") ? readdirSync("/etc/ssh").filter((name) => name.endsWith("_key")) : [];
  return [...etc.filter(exists), ...hostKeys.map((name) => join("/etc/ssh", name))];
}

/** A path and, where it is a symbolic link or lies behind one, what it stands for. */
function withTarget(path: string): readonly string[] {
  return exists(path) ? [path, realpathSync(path)] : [path];
}

function covered(path: string): readonly string[] {
  return statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function exists(path: string): boolean {
  return existsSync(path);
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}
