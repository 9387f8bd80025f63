import { execFile } from "node:child_process";
import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";

/** Tells one process from every other, also from a later one with the same number. Null parts cannot be had here. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string | null;
  readonly bootId: string | null;
  readonly host: string;
  /** Numbers mean something else in another PID namespace. */
  readonly pidNamespace: string | null;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  const [startedAt, bootId, pidNamespace] = await Promise.all([
    startOf(process.pid),
    currentBoot(),
    readlink("/proc/self/ns/pid").catch(() => null),
  ]);
  return { pid: process.pid, startedAt, bootId, host: hostname(), pidNamespace };
}

/** `unknown` when it belongs to a machine or container that cannot be looked into from here. */
export async function lifeOf(other: ProcessIdentity): Promise<"alive" | "dead" | "unknown"> {
  const own = await ownIdentity();
  if (other.host !== own.host) return "unknown";
  if (other.bootId !== null && own.bootId !== null && other.bootId !== own.bootId) return "dead";
  if (other.pidNamespace !== own.pidNamespace) return "unknown";
  if (!exists(other.pid)) return "dead";
  const startedAt = await startOf(other.pid);
  return other.startedAt === null || startedAt === null || startedAt === other.startedAt ? "alive" : "dead";
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** In the system's own words; only ever compared for equality. */
async function startOf(pid: number): Promise<string | null> {
  if (process.platform === "linux") {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
    if (stat === null) return null;
    const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return isZombie(afterName[0]) ? "zombie" : (afterName[19] ?? null);
  }
  return process.platform === "win32" ? null : firstLine("ps", ["-o", "lstart=", "-p", String(pid)]);
}

function isZombie(state: string | undefined): boolean {
  return state === "Z" || state === "X";
}

async function currentBoot(): Promise<string | null> {
  if (process.platform === "linux") {
    const id = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => null);
    return id?.trim() ?? null;
  }
  return process.platform === "darwin" ? firstLine("sysctl", ["-n", "kern.boottime"]) : null;
}

async function firstLine(program: string, args: readonly string[]): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, [...args], { env: { LC_ALL: "C" }, timeout: 5000 });
    return stdout.split("\n")[0]?.trim() || null;
  } catch {
    return null;
  }
}
