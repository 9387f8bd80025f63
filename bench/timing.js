import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ASSAY = fileURLToPath(new URL("../bin/assay.js", import.meta.url));

/**
 * Milliseconds each command takes, run in turns so that a busy moment hits all alike: the mean time on the processor, for
 * that is what can be compared on a machine that does other things too; where the system does not tell, the fastest by the clock.
 */
export function timed(commands, rounds) {
  const cpu = commands.map(() => 0);
  const wall = commands.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    commands.forEach(([program, ...args], index) => {
      const before = childrenCpuMs();
      const started = performance.now();
      const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
      wall[index] = Math.min(wall[index], performance.now() - started);
      if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}: ${stderr}`);
      cpu[index] += (childrenCpuMs() - before) / rounds;
    });
  }
  return cpu.every((milliseconds) => milliseconds > 0) ? cpu : wall;
}

/** What ended children used of the processor, in steps of 10 ms that even out over many rounds; 0 where that is unknown. */
function childrenCpuMs() {
  if (process.platform !== "linux") return 0;
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

export function ratio(value, floor, bar) {
  const measured = value / floor;
  return {
    value: `${measured.toFixed(2)}x (${value.toFixed(0)} ms against ${floor.toFixed(0)} ms)`,
    bar: `<= ${bar}x`,
    met: measured <= bar,
  };
}
