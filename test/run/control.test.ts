import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readlink, stat, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunStatus } from "../../src/domain/control.ts";
import { assay, type CommandOutcome } from "../support/command-line.ts";
import { journal } from "../support/project.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { type Turnstile, turnstile, until } from "../support/turnstile.ts";

const RUN = "run skills/greeter --harness command --command ./agent.sh --sandbox none -j 1".split(" ");

describe("a run that another terminal steers", { timeout: 240_000 }, () => {
  it("is listed, paused, widened, resumed and stopped, and --resume completes it", async () => {
    await using gate = await turnstile();
    await using project = await greeters(gate, 6);
    const at = { cwd: project.root };
    const running = assay(RUN, at);
    await gate.arrivals(1);
    await until(async () => (await statusIn(project.root)).length === 1);
    const [first] = await statusIn(project.root);
    expect(first).toMatchObject({
      state: "running",
      concurrency: 1,
      pid: process.pid,
      iterations: [{ suite: "greeter", number: 1, harness: "command", trials: { planned: 6, done: 0 } }],
    });
    expect(first?.iterations[0]?.atWork.length).toBeGreaterThan(0);
    const shown = await assay(["status"], at);
    expect(shown.out).toContain("greeter iteration-1 (command): 0 of 6 trials done");

    expect((await assay(["control", "pause"], at)).out).toContain("paused for");
    gate.release(1);
    await until(async () => (await doneIn(project.root)) === 1);
    expect(gate.came()).toBe(1);

    expect((await assay(["control", "limit", "-j", "2"], at)).out).toContain("2 trials at once");
    expect((await assay(["control", "resume", "greeter"], at)).exitCode).toBe(0);
    // Both at once: nobody has been let through since.
    await gate.arrivals(3);

    expect((await assay(["control", "stop"], at)).out).toContain("stopping for");
    expect(await assay(["control", "pause"], at)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("cannot pause the run: it is already stopping"),
    });
    gate.release();
    const ended = await running;
    expect(ended.exitCode).toBe(130);
    expect(ended.err).toContain("note: paused from another terminal");
    expect(ended.err).toContain("note: limits changed from another terminal: 2 trials at once");
    expect((await journal(project.root)).at(-1)).toMatchObject({
      kind: "iteration-finished",
      ended: "interrupted",
    });
    expect(await assay(["status"], at)).toMatchObject({ out: "Nothing is running in this project.\n" });
    expect(await readdir(project.path(".assay"))).not.toContain("running");

    const begun = gate.came();
    expect(begun).toBeLessThan(6);
    expect((await assay([...RUN, "--resume"], at)).exitCode).toBe(0);
    expect(gate.came()).toBe(6);
  });

  it("ends what is at work when it is told to stop now", async () => {
    await using gate = await turnstile();
    await using project = await greeters(gate, 2);
    const at = { cwd: project.root };
    const running = assay(RUN, at);
    await gate.arrivals(1);
    await until(async () => (await statusIn(project.root)).length === 1);
    expect((await assay(["control", "stop", "--now"], at)).exitCode).toBe(0);
    const ended = await running;
    expect(ended.exitCode).toBe(130);
    expect(ended.err).toContain("ending the running trials; --resume continues");
  });

  it("can be reached by its own user alone", async () => {
    await using gate = await turnstile();
    await using project = await greeters(gate, 1);
    const running = assay(RUN, { cwd: project.root });
    await gate.arrivals(1);
    await until(async () => (await recordsIn(project)).length === 1);
    const [record = ""] = await recordsIn(project);
    const path = project.path(`.assay/running/${record}`);
    const socket = await readlink(path);
    expect((await stat(dirname(socket))).mode & 0o777).toBe(0o700);
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    gate.release();
    await running;
    await expect(stat(socket)).rejects.toThrow("ENOENT");
  });

  it("refuses what does not fit, in words", async () => {
    await using gate = await turnstile();
    await using project = await greeters(gate, 1);
    const at = { cwd: project.root };
    const refused = async (...args: string[]) => (await assay(["control", ...args], at)).err;
    expect(await refused("pause")).toContain("nothing is running in this project");
    expect(await refused("limit")).toContain("limit needs a new limit");
    expect(await refused("pause", "--max-cost", "3")).toContain("pause takes no limit");
    const running = assay(RUN, at);
    await gate.arrivals(1);
    await until(async () => (await statusIn(project.root)).length === 1);
    expect(await refused("limit", "--max-cost", "3")).toContain("it was started without --max-cost");
    expect(await refused("stop", "nobody")).toContain('no run "nobody" is in progress');
    gate.release();
    await running;
  });

  it("is not there any more where only its record is", async () => {
    await using project = await tempTree({ "assay.config.json": "{}" });
    await mkdir(project.path(".assay/running"), { recursive: true });
    await symlink("/nowhere/control", project.path(".assay/running/v1-1-abc"));
    const outcome = await assay(["status"], { cwd: project.root });
    expect(outcome).toMatchObject({ exitCode: 0, out: "Nothing is running in this project.\n", err: "" });
    expect(existsSync(project.path(".assay"))).toBe(false);
  });
});

describe("--fail-fast", { timeout: 240_000 }, () => {
  it("starts nothing new after the first case that fails, and exits 1", async () => {
    await using gate = await turnstile();
    await using project = await greeters(gate, 12, "Good day");
    gate.release();
    const outcome: CommandOutcome = await assay([...RUN, "--fail-fast"], { cwd: project.root });
    expect(outcome.err).toContain("failed, so no new trial starts");
    expect(outcome.exitCode).toBe(1);
    expect(gate.came()).toBeLessThan(12);
  });

  it("changes nothing where all pass", async () => {
    await using gate = await turnstile();
    await using project = await greeters(gate, 2);
    gate.release();
    expect((await assay([...RUN, "--fail-fast"], { cwd: project.root })).exitCode).toBe(0);
    expect(gate.came()).toBe(2);
  });
});

async function greeters(gate: Turnstile, cases: number, answer = "Hello"): Promise<TempTree> {
  const evals = Array.from({ length: cases }, (_, at) => ({
    id: at + 1,
    prompt: `Greet number ${at + 1}`,
    assay: { checks: [{ type: "contains", needle: "Hello" }] },
  }));
  const project = await tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n",
    "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
    "agent.sh": gate.agent(answer),
  });
  await chmod(project.path("agent.sh"), 0o755);
  return project;
}

async function statusIn(cwd: string): Promise<readonly RunStatus[]> {
  return JSON.parse((await assay(["status", "--json"], { cwd })).out) as readonly RunStatus[];
}

async function doneIn(cwd: string): Promise<number | undefined> {
  return (await statusIn(cwd))[0]?.iterations[0]?.trials.done;
}

async function recordsIn(project: TempTree): Promise<readonly string[]> {
  return readdir(project.path(".assay/running")).catch(() => []);
}
