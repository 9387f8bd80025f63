import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Excess, TrialLimits } from "../../domain/limits.ts";
import type { Command } from "./command.ts";

/** Those of this process, which are gone with it; null: there are none. */
export function groupFor(limits: GroupLimits): ControlGroup | null {
  if (groups === undefined) {
    groups = openGroups();
    if (groups !== null) process.once("exit", groups[Symbol.dispose]);
  }
  return groups === null ? null : groups(limits);
}

let groups: ControlGroups | null | undefined;

/** Limits that the kernel holds for a program and all that it starts, at once and not at the next look. */
export interface ControlGroup extends Disposable {
  /** The same command, which joins the group first; where it cannot, it runs all the same. */
  join(command: Command): Command;
  /** The limit that it came up against; null: none. */
  excess(): Excess | null;
}

interface GroupsOptions {
  /** Where control groups of the second version are mounted. */
  readonly mount?: string;
  /** The file that says which group this process is in. */
  readonly own?: string;
  readonly uid?: number;
  readonly controllers?: readonly string[];
}

type GroupLimits = Pick<TrialLimits, "memoryBytes" | "processes">;

/** Gives groups out; null where this user has none to give. */
type ControlGroups = ((limits: GroupLimits) => ControlGroup | null) & Disposable;

/**
 * ControlGroups beside the one that this process is in, where the system has left those to the user, as it does below a login of
 * systemd. Not for root, to whom nothing is denied and nothing is left either. Null: there are none to be had.
 */
export function openGroups(options: GroupsOptions = {}): ControlGroups | null {
  const { uid = process.getuid?.() ?? 0, controllers = ["memory", "pids"] } = options;
  const parent = uid === 0 ? null : delegatedParent(options, controllers);
  if (parent === null) return null;
  sweepGroups(parent);
  const folder = join(parent, nameOf(process.pid));
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, "cgroup.subtree_control"), controllers.map((one) => `+${one}`).join(" "));
    if (!canBeJoined(join(folder, "probe"))) throw new Error("it cannot be joined");
  } catch {
    removeGroup(folder);
    return null;
  }
  let serial = 0;
  const open = (limits: GroupLimits): ControlGroup | null =>
    openGroup(join(folder, String(serial++)), limits);
  return Object.assign(open, { [Symbol.dispose]: () => removeGroup(folder) });
}

function delegatedParent(
  { mount = "/sys/fs/cgroup", own = "/proc/self/cgroup" }: GroupsOptions,
  controllers: readonly string[],
): string | null {
  const path = /^0::(\/.*)$/mu.exec(textOf(own))?.[1] ?? "/";
  if (path === "/" || path.split("/").includes("..")) return null;
  const parent = dirname(join(mount, path));
  const enabled = textOf(join(parent, "cgroup.subtree_control")).trim().split(" ");
  if (!controllers.every((one) => enabled.includes(one))) return null;
  try {
    accessSync(parent, constants.W_OK);
    accessSync(join(parent, "cgroup.procs"), constants.W_OK);
    return parent;
  } catch {
    return null;
  }
}

/** Numbers of processes mean something in their own namespace only. */
function nameOf(pid: number): string {
  return `assay-${namespaceNumber()}-${pid}-${randomBytes(4).toString("hex")}`;
}

function namespaceNumber(): string {
  return /\d+/u.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
}

/** What killed runners left, with whatever still runs in it. */
function sweepGroups(parent: string): void {
  for (const name of namesIn(parent)) {
    const [, namespace, pid] = /^assay-(\d+)-(\d+)-[0-9a-f]{8}$/u.exec(name) ?? [];
    if (pid !== undefined && namespace === namespaceNumber() && isGone(Number(pid)))
      removeGroup(join(parent, name));
  }
}

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function canBeJoined(folder: string): boolean {
  mkdirSync(folder);
  const { stdout } = spawnSync(
    "/bin/sh",
    ["-c", `${JOIN}; read -r one <"$0"; echo "$one $$"`, procsOf(folder)],
    {
      env: {},
      encoding: "utf8",
      timeout: PROBE_MS,
    },
  );
  const [first, second] = stdout.trim().split(" ");
  return first !== "" && first === second;
}

const PROBE_MS = 5000;

/** `folder` is to be made. Null where the kernel takes no such limits there. */
export function openGroup(folder: string, limits: GroupLimits): ControlGroup | null {
  try {
    mkdirSync(folder);
    hold(folder, limits);
  } catch {
    removeGroup(folder);
    return null;
  }
  return {
    join: (command) => ({
      ...command,
      program: "/bin/sh",
      args: ["-c", `${JOIN}; exec "$@"`, procsOf(folder), command.program, ...command.args],
    }),
    excess() {
      if (count(join(folder, "memory.events"), "oom_kill") > 0)
        return { limit: "memory", most: limits.memoryBytes };
      if (count(join(folder, "pids.events"), "max") > 0)
        return { limit: "processes", most: limits.processes };
      return null;
    },
    [Symbol.dispose]: () => removeGroup(folder),
  };
}

/** It ends as a whole, not with one process that the rest would miss; and not by way of the disk. */
function hold(folder: string, { memoryBytes, processes }: GroupLimits): void {
  if (memoryBytes < Number.MAX_SAFE_INTEGER) {
    writeFileSync(join(folder, "memory.max"), String(memoryBytes));
    for (const [file, value] of [
      ["memory.oom.group", "1"],
      ["memory.swap.max", "0"],
    ] as const)
      tolerantly(() => writeFileSync(join(folder, file), value));
  }
  if (processes < Number.MAX_SAFE_INTEGER) writeFileSync(join(folder, "pids.max"), String(processes));
}

/** `$0` is the list of the group's processes, where 0 stands for the one that writes it. */
const JOIN = `echo 0 2>/dev/null >"$0"`;

function procsOf(folder: string): string {
  return join(folder, "cgroup.procs");
}

/** Ends what is in it. What does not go at once goes with the groups, or with the next sweep. */
function removeGroup(folder: string): void {
  for (const name of namesIn(folder)) removeGroup(join(folder, name));
  if (textOf(procsOf(folder)) !== "") tolerantly(() => writeFileSync(join(folder, "cgroup.kill"), "1"));
  tolerantly(() => rmdirSync(folder));
}

function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function count(file: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, "mu").exec(textOf(file))?.[1] ?? 0);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function tolerantly(step: () => void): void {
  try {
    step();
  } catch {
    return;
  }
}
