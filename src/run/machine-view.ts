import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { memo } from "../lib/memo.ts";

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
  const secrets = root ? (ofRoot ??= rootSecrets()) : [];
  const kept = hidden.flatMap(withTarget);
  const concealed = [...kept, ...(home === null || home === sep ? [] : withTarget(home))];
  const isHidden = (path: string): boolean => concealed.some((folder) => isInside(path, folder));
  const shownTools = tools.filter(
    (path) => !system.covers(path) && !kept.some((folder) => isInside(path, folder)),
  );
  const shownFor = memo((readable: readonly string[]) => {
    const asked = readable
      .flatMap(withTarget)
      .filter((path) => (!system.covers(path) || isHidden(path)) && !concealed.includes(path));
    const shown = [...new Set([...system.shown, ...shownTools, ...asked])].filter((path) => path !== sep);
    return { shown, toHide: concealed.filter((path) => shown.some((folder) => isInside(path, folder))) };
  }, String);
  return {
    mounts(readable) {
      const { shown, toHide } = shownFor(readable);
      const layers = [
        ...toHide.filter(exists).map((path) => ({ path, mount: covered(path) })),
        ...shown.map((path) => ({ path, mount: ["--ro-bind-try", path, path] })),
      ];
      layers.sort((a, b) => a.path.length - b.path.length);
      return [
        ...system.links,
        ...layers.flatMap((layer) => layer.mount),
        ...secrets.filter(exists).flatMap(covered),
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

/** What only root, or a group, can read in /etc: the shadow files, private keys, settings of services with their passwords. */
function rootSecrets(folder = "/etc"): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile() && !entry.isDirectory()) return [];
    const path = join(folder, entry.name);
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if (entry.isFile()) return (mode & OTHERS_READ) === 0 ? [path] : [];
    return (mode & OTHERS_ENTER) === OTHERS_ENTER ? rootSecrets(path) : [path];
  });
}

/** Looked for once: it takes milliseconds. */
let ofRoot: readonly string[] | null = null;

const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o005;

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
