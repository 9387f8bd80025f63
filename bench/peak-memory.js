import { readFileSync } from "node:fs";

/**
 * The most memory this process has held, in megabytes. The system's usual figure (`maxRSS`) is of no use for a process
 * that a larger one started: it begins with what its parent held.
 */
export function peakMegabytes() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
