import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const ASSAY = fileURLToPath(new URL("../bin/assay.js", import.meta.url));

/** Wall milliseconds of each command, taken in turns so that a busy moment hits all alike; the fastest of `rounds`. */
export function fastest(commands, rounds) {
  const best = commands.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    commands.forEach(([program, ...args], index) => {
      const started = performance.now();
      const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
      if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}: ${stderr}`);
      best[index] = Math.min(best[index], performance.now() - started);
    });
  }
  return best;
}

export function ratio(value, floor, bar) {
  const measured = value / floor;
  return {
    value: `${measured.toFixed(2)}x (${value.toFixed(0)} ms against ${floor.toFixed(0)} ms)`,
    bar: `<= ${bar}x`,
    met: measured <= bar,
  };
}
