import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { laterProcessesWith, processes, processesWith, sendSignal } from "./processes.ts";

describe.skipIf(!existsSync("/proc/self/environ"))("processes, where there is /proc", () => {
  it("are found by a variable with exactly that value", () => {
    const found = started({ MARK_X: "trial-1" });
    const others = [
      { MARK_X: "trial-10" },
      { MARK_X: "xtrial-1" },
      { AMARK_X: "trial-1" },
      { OTHER: "MARK_X=trial-1" },
    ];
    for (const env of others) started(env);
    const both = started({ A: "MARK_X=trial-1", MARK_X: "trial-1", Z: "" });
    expect(new Set(processesWith("MARK_X", "trial-1"))).toEqual(new Set([found.pid, both.pid]));
  });

  it("are found among those started after a certain one", () => {
    const first = started({ MARK_Y: "t" });
    const second = started({ MARK_Y: "t" });
    expect(laterProcessesWith(first.pid ?? 0, "MARK_Y", "t")).toEqual([second.pid]);
  });

  it("are all looked at when the numbers have started over", () => {
    const child = started({ MARK_Z: "t" });
    expect(laterProcessesWith(2 ** 30, "MARK_Z", "t")).toEqual([child.pid]);
  });

  it("have a parent and a group", () => {
    const child = started({});
    const entry = processes().find(({ pid }) => pid === child.pid);
    expect(entry).toMatchObject({ pid: child.pid, parent: process.pid, group: child.pid });
  });
});

it("answers whether there was a process to signal", () => {
  const child = started({});
  expect(sendSignal(child.pid ?? 0, "SIGCONT")).toBe(true);
  expect(sendSignal(2 ** 30, "SIGTERM")).toBe(false);
});

function started(env: Record<string, string>): ChildProcess {
  const child = spawn("/bin/sleep", ["20"], { env, stdio: "ignore", detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
