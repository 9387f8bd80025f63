import { readFileSync, readdirSync, readlinkSync } from "node:fs";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly threads: number;
  readonly residentPages: number;
}

/** Every process that /proc shows, zombies left out; empty where there is no /proc. */
export function processes(): ProcessEntry[] {
  const found: ProcessEntry[] = [];
  for (const pid of pids()) {
    const stat = read(`/proc/${pid}/stat`)?.toString("latin1");
    if (!stat) continue;
    // The name in parentheses may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, parent, group] = fields;
    if (state === "Z" || state === "X") continue;
    found.push({
      pid,
      parent: Number(parent),
      group: Number(group),
      threads: Number(fields[17]),
      residentPages: Number(fields[21]),
    });
  }
  return found;
}

/** The processes whose environment holds exactly this variable with this value, our own left out. */
export function processesWith(name: string, value: string): number[] {
  return carriers(pids(), name, value);
}

/** The same among those started later than process `first`, which spares looking at all the others. */
export function laterProcessesWith(first: number, name: string, value: string): number[] {
  const newest = newestPid();
  // Numbers start over at some point: then a later process may have a smaller one.
  if (newest === null || newest < first) return processesWith(name, value);
  if (newest === first) return [];
  return carriers(
    pids().filter((pid) => pid > first),
    name,
    value,
  );
}

/**
 * Whether one that was started later than process `first` is just being executed: in that moment its environment is empty, and it
 * may yet turn out to carry a mark.
 */
export function isOneStarting(first: number): boolean {
  return pids().some((pid) => pid > first && read(`/proc/${pid}/environ`)?.length === 0 && hasProgram(pid));
}

/** Zombies and threads of the kernel have none. */
function hasProgram(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== "";
  } catch {
    return false;
  }
}

/** The number given out last. */
function newestPid(): number | null {
  const load = read("/proc/loadavg");
  return load === null ? null : Number(load.toString("latin1").trim().split(" ").at(-1));
}

function carriers(candidates: readonly number[], name: string, value: string): number[] {
  const entry = Buffer.from(`${name}=${value}`);
  return candidates.filter((pid) => {
    if (pid === process.pid) return false;
    const environment = read(`/proc/${pid}/environ`);
    return environment !== null && holdsEntry(environment, entry);
  });
}

/** Answers false when there was nothing to signal or it is not ours to signal. A negative pid is a group. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function pids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function read(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function holdsEntry(environment: Buffer, entry: Buffer): boolean {
  const at = environment.indexOf(entry);
  if (at === -1) return false;
  const startsClean = at === 0 || environment[at - 1] === 0;
  const end = at + entry.length;
  const endsClean = end === environment.length || environment[end] === 0;
  return (startsClean && endsClean) || holdsEntry(environment.subarray(at + 1), entry);
}
