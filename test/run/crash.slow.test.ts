import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { greeterProject, journal, RUN } from "../support/project.ts";

const ASSAY = fileURLToPath(new URL("../../bin/assay.js", import.meta.url));
const TRIALS = 12;
const REPLIES = [{ steps: [{ sleepMs: 300 }, { grandchild: { seconds: 60 } }, { text: "Hello Ada" }] }];
const ARGS = [...RUN, "--case", "1", "--runs", String(TRIALS), "--concurrency", "3"];

function start(cwd: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [ASSAY, ...args], { cwd, stdio: "ignore" });
}

async function untilTrialsBegan(root: string): Promise<void> {
  const kinds = async () => (await journal(root)).map(({ kind }) => kind);
  await vi.waitFor(async () => expect(await kinds()).toContain("trial-started"), { timeout: 60_000 });
}

/** Processes of trials of this project, by the mark every trial's environment has. */
function survivors(marks: ReadonlySet<string>): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
        return environment.some(
          (entry) =>
            entry.startsWith("ASSAY_TRIAL=") &&
            marks.has(entry.slice("ASSAY_TRIAL=".length).split("-")[0] ?? ""),
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe("a runner that is killed", () => {
  it("loses nothing it had committed, leaves no process, and goes on where it was", async () => {
    await using project = await greeterProject(REPLIES);
    for (const afterMs of [700, 1100, 1500]) {
      const runner = start(project.root, [...ARGS, "--resume"]);
      const ended = once(runner, "exit");
      await wait(afterMs);
      runner.kill("SIGKILL");
      await ended;
    }
    const keys = new Set(
      (await journal(project.root)).flatMap((event) =>
        event.kind === "trial-started" ? [event.trial.key] : [],
      ),
    );
    await wait(500);
    expect(survivors(keys)).toEqual([]);
    const last = start(project.root, [...ARGS, "--resume"]);
    await once(last, "exit");
    const committed = (await journal(project.root)).flatMap((event) =>
      event.kind === "trial-finished" ? [event.trial.id] : [],
    );
    expect(new Set(committed).size).toBe(TRIALS);
    expect(committed.length).toBe(TRIALS);
  });

  it("that is interrupted stops its trials, exits 130 and can be resumed", async () => {
    await using project = await greeterProject([{ steps: [{ sleepMs: 60_000 }, { text: "Hello Ada" }] }]);
    const runner = start(project.root, [...ARGS]);
    const ended = once(runner, "exit");
    await untilTrialsBegan(project.root);
    const started = performance.now();
    runner.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(performance.now() - started).toBeLessThan(30_000);
    const events = await journal(project.root);
    expect(events.at(-1)).toMatchObject({ kind: "iteration-finished", ended: "interrupted" });
    const outcomes = events.flatMap((event) =>
      event.kind === "trial-finished" ? [event.run.outcome.status] : [],
    );
    expect(new Set(outcomes)).toEqual(new Set(["interrupted"]));
    expect(outcomes.length).toBeLessThan(TRIALS);
  });

  it("refuses to share an iteration with another", async () => {
    await using project = await greeterProject([{ steps: [{ sleepMs: 8000 }, { text: "Hello Ada" }] }]);
    const first = start(project.root, [...RUN, "--case", "1"]);
    const ended = once(first, "exit");
    await untilTrialsBegan(project.root);
    const second = spawn(process.execPath, [ASSAY, ...RUN, "--case", "1", "--resume"], { cwd: project.root });
    let said = "";
    second.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    expect(await once(second, "exit")).toEqual([2, null]);
    expect(said).toContain("store/locked");
    await ended;
  });
});
