import { chmod, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { bwrap } from "../../src/run/sandboxes/bwrap.ts";
import { assay } from "../support/command-line.ts";
import { journal } from "../support/project.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

const unavailable = await bwrap().unavailable();

/** A project whose agent does what this script says. Scripts take a bounded amount, in case nobody stops them. */
async function projectWith(script: string, files: Readonly<Record<string, string>> = {}): Promise<TempTree> {
  const project = await tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people.\n---\n\nSay hello.\n",
    "skills/greeter/evals/evals.json": JSON.stringify({
      skill_name: "greeter",
      evals: [{ id: 1, prompt: "Greet Ada", assay: { checks: [{ type: "contains", needle: "Hello" }] } }],
    }),
    "agent.sh": `#!/bin/bash\ncat > /dev/null\n${script}\necho Hello\n`,
    ...files,
  });
  await chmod(project.path("agent.sh"), 0o755);
  return project;
}

function run(project: TempTree, limits: readonly string[], sandbox = "bwrap") {
  const agent = ["--harness", "command", "--command", project.path("agent.sh"), "--sandbox", sandbox];
  return assay(["run", "skills/greeter", ...agent, ...limits], { cwd: project.root });
}

async function outcomeOf(project: TempTree) {
  const finished = (await journal(project.root)).find((event) => event.kind === "trial-finished");
  return finished?.run.outcome;
}

const HOGS = [
  [
    "memory",
    "memory=60MB",
    "head -c 200M /dev/zero | (tail -c 200M; sleep 20) | sleep 20",
    "60 MB of memory",
  ],
  ["processes", "processes=40", "for i in $(seq 80); do sleep 20 & done; wait", "40 processes and threads"],
  ["disk, in one file", "disk=20MB", "head -c 60M /dev/zero > big", "20 MB of disk"],
  [
    "disk, in many files",
    "disk=20MB",
    "for i in $(seq 20); do head -c 4M /dev/zero > /tmp/part-$i; done; sleep 20",
    "20 MB of disk",
  ],
  [
    "disk, by way of shared memory",
    "disk=20MB",
    "for i in $(seq 20); do head -c 4M /dev/zero > /dev/shm/part-$i; done; sleep 20",
    "20 MB of disk",
  ],
  ["output", "output=1MB", "yes | head -c 4M; sleep 20", "1 MB of output"],
] as const;

describe.skipIf(unavailable !== null).concurrent("a trial that takes too much", () => {
  it.each(HOGS)(
    "%s: is ended, left out and told as such",
    { timeout: 180_000 },
    async (_, limit, script, told) => {
      await using project = await projectWith(script);
      const ran = await run(project, ["--limits", limit]);
      expect(ran).toMatchObject({ exitCode: 3 });
      const [name = ""] = limit.split("=");
      expect(await outcomeOf(project)).toMatchObject({
        status: "over-limit",
        excess: { limit: name, most: expect.any(Number) },
        message: expect.stringContaining(`it used more than ${told}`),
      });
      expect(ran.out + ran.err).toContain(told);
      expect(ran.out).toMatch(new RegExp(`Next: assay run .* --limits ${name}=\\w+ --resume$`, "m"));
      expect(ran.out).not.toContain(`--limits ${limit} --resume`);
      const summary = project.path(".assay/greeter/iteration-1/summary.json");
      expect(await readFile(summary, "utf8")).toContain("over-limit");
    },
  );

  it("is nothing that stays below, and the kernel holds files and cores", { timeout: 180_000 }, async () => {
    await using project = await projectWith("ulimit -Hn; ulimit -c");
    expect(await run(project, ["--limits", "files=99"])).toMatchObject({ exitCode: 0 });
    const output = project.path(".assay/greeter/iteration-1/eval-1/with_skill/run-1/output.txt");
    expect((await readFile(output, "utf8")).split("\n").slice(0, 2)).toEqual(["99", "0"]);
  });
});

it("without a sandbox, memory and processes are watched all the same", { timeout: 180_000 }, async () => {
  await using project = await projectWith("for i in $(seq 80); do sleep 20 & done; wait");
  expect(await run(project, ["--limits", "processes=40"], "none")).toMatchObject({ exitCode: 3 });
  expect(await outcomeOf(project)).toMatchObject({ status: "over-limit" });
});

it.each(["memory", "memory=much", "ram=1GB", "processes=4GB"])("refuses %s", async (limits) => {
  await using project = await projectWith("");
  const { exitCode, err } = await run(project, ["--limits", limits]);
  expect(exitCode).toBe(2);
  expect(err).toContain("It must be comma-separated limits, e.g. memory=8GB");
});

it("a project may lower a limit", { timeout: 180_000 }, async () => {
  const config = { "assay.config.json": '{ "limits": "processes=40" }' };
  await using project = await projectWith("for i in $(seq 80); do sleep 20 & done; wait", config);
  expect(await run(project, [], "none")).toMatchObject({ exitCode: 3 });
});
