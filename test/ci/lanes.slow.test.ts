import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { CiResult } from "../../src/domain/ci.ts";
import { assay } from "../support/command-line.ts";
import { change, type Change, evalsAsking, skillText } from "./change.ts";

const TWICE = ["--base", "main", "--runs", "2"];
const LIVE = ["ci", "live", ...TWICE, "--max-cost", "5"];

async function reported(project: Change, folder: string, ...args: readonly string[]) {
  const ended = await assay(["ci", "report", folder, "--out", "report", ...args], { cwd: project.root });
  const text = await readFile(project.path("report/result.json"), "utf8");
  const comment = await readFile(project.path("report/comment.md"), "utf8");
  return { ...ended, result: JSON.parse(text) as CiResult, comment };
}

describe("a change to a skill", { timeout: 240_000 }, () => {
  it("is recorded live, and replayed in shards without a key or a service, as one result", async () => {
    await using project = await change({ "skills/greeter/SKILL.md": skillText("Hello") });
    const { env, root: cwd } = project;
    const live = await assay([...LIVE, "--record", "--out", "live"], { cwd, env });
    expect(live.out).toContain("greeter: compared, on the base's evals");
    expect(live.exitCode).toBe(0);
    const before = await reported(project, "live");
    expect(before.result.title).toBe("greeter: better on 3 cases, +100 points; required: not worse");
    expect(before.exitCode).toBe(0);

    await project.sim.close();
    await assay(["ci", "check", "--base", "main", "--out", "lanes/check"], { cwd });
    for (const shard of ["1/2", "2/2"]) {
      const part = ["ci", "replay", ...TWICE, "--shard", shard, "--out", `lanes/${shard.replace("/", "-")}`];
      expect(await assay(part, { cwd })).toMatchObject({ exitCode: 0 });
    }
    const after = await reported(project, "lanes", "--require", "better");
    expect(after.result.title).toBe("greeter: better on 3 cases, +100 points; required: better");
    expect(after.result.skills[0]?.cases).toEqual(before.result.skills[0]?.cases);
    expect(after.result.skills[0]?.answer).toBe(before.result.skills[0]?.answer);
    expect(after.comment).toContain("0 of 2 → 2 of 2 runs pass");
    expect(after.comment).toContain("nothing was paid");
    expect(after.exitCode).toBe(0);
  });

  it("that is new is measured on its own evals, with it and without it", async () => {
    await using project = await change({
      "skills/welcome/SKILL.md": skillText("Hello", "welcome"),
      "skills/welcome/evals/evals.json": evalsAsking("Hello", 3, "welcome"),
    });
    const { env, root: cwd } = project;
    const { out } = await assay([...LIVE, "--out", "live"], { cwd, env });
    expect(out).toContain("welcome: new, on the change's own evals");
    const { result, exitCode } = await reported(project, "live");
    expect(result.notes).toEqual([
      "welcome is new: it was measured on its own evals, with it and without it",
    ]);
    expect(result.skills.map(({ suite, finding }) => ({ suite, finding }))).toEqual([
      { suite: "welcome", finding: "better on 3 cases, +100 points" },
    ]);
    expect(exitCode).toBe(0);
  });
});
