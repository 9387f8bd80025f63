import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { systemProgram } from "../../src/run/process/namespace.ts";
import { greeterProject, journal, RUN } from "../support/project.ts";
import { tempTree } from "../support/temp-tree.ts";

const ASSAY = fileURLToPath(new URL("../../bin/assay.js", import.meta.url));
const UNSHARE = systemProgram("unshare") ?? "none";
const NAMESPACE = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
const possible = spawnSync(UNSHARE, [...NAMESPACE, "true"]).status === 0;
const SLOW = [{ steps: [{ sleepMs: 2500 }, { bash: "ls .claude/skills" }, { text: "Hello Ada" }] }];
const QUICK = [{ steps: [{ text: "Hello Ada" }] }];

describe.skipIf(!possible)("two runners in PID namespaces of their own that share TMPDIR", () => {
  it("leave each other's workspaces alone, and remove what a killed one left", async () => {
    await using shared = await tempTree({ "tmp/": "" });
    await using slow = await greeterProject(SLOW);
    await using quick = await greeterProject(QUICK);
    const env = { ...process.env, TMPDIR: shared.path("tmp"), HOME: "/nonexistent" };
    const start = (...args: string[]) =>
      spawn(process.execPath, [ASSAY, ...RUN, ...args], { cwd: slow.root, env, stdio: "ignore" });
    const killed = start("--workspace", "killed");
    const gone = once(killed, "exit");
    const [left = ""] = await rootsIn(shared.path("tmp"));
    while (!existsSync(shared.path(`tmp/${left}/owner.json`))) await wait(5);
    killed.kill("SIGKILL");
    await gone;
    expect(await readdir(shared.path("tmp"))).toContain(left);

    const first = start();
    const ended = once(first, "exit");
    while ((await rootsIn(shared.path("tmp"))).includes(left)) await wait(20);
    await wait(500);
    const second = spawnSync(UNSHARE, [...NAMESPACE, process.execPath, ASSAY, ...RUN], {
      cwd: quick.root,
      env,
      encoding: "utf8",
    });
    expect(second.stdout).toContain("greeter");
    expect(first.exitCode).toBeNull();
    await ended;
    const finished = (await journal(slow.root)).filter((event) => event.kind === "trial-finished");
    expect(finished.map(({ run }) => run.outcome.status)).toEqual(["completed", "completed"]);
    expect(finished.map(({ run }) => run.toolErrors)).toEqual([0, 0]);
    expect(await readdir(shared.path("tmp"))).toEqual([]);
  });
});

async function rootsIn(folder: string): Promise<readonly string[]> {
  for (let tries = 0; tries < 100; tries++) {
    const names = (await readdir(folder)).filter((name) => !name.startsWith("assay-probe-"));
    if (names.length > 0) return names;
    await wait(50);
  }
  throw new Error("the runner made no workspaces");
}
