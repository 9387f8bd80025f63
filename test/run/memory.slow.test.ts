import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { builtCommand } from "../support/built-command.ts";
import { greeterProject, RUN } from "../support/project.ts";

const MEBIBYTE_OF_KB = 1024;

it.skipIf(!existsSync("/proc/self/status"))(
  "a whole run, from planning to the report, stays small while the agent prints 300 MB without a newline",
  async () => {
    await using command = await builtCommand();
    await using project = await greeterProject([{ steps: [{ flood: { megabytes: 300 } }] }]);
    const runner = spawn(process.execPath, [command.path, ...RUN, "--case", "1"], {
      cwd: project.root,
      stdio: "ignore",
    });
    const ended = once(runner, "exit");
    let peakKb = 0;
    while (runner.exitCode === null && runner.signalCode === null) {
      peakKb = Math.max(peakKb, peakOf(runner.pid));
      await wait(20);
    }
    // More output than one trial may have.
    expect((await ended)[0]).toBe(3);
    expect(peakKb).toBeGreaterThan(0);
    expect(peakKb / MEBIBYTE_OF_KB).toBeLessThan(150);
  },
  60_000,
);

function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
