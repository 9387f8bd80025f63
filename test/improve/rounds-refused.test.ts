import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { improve, improveArgs, OTHER_SEED, project, runs, SKILL } from "./greeting-rounds.ts";

describe("assay improve, where something speaks against it", { timeout: 60_000 }, () => {
  it("refuses what it would overwrite or mix up, and writes nothing", async () => {
    await using made = await project();
    await improve(made, "--rounds", "1");
    const kept = await made.text(".assay/greeter/history.json");
    await writeFile(made.path("skills/greeter/SKILL.md"), `${SKILL}Mine.\n`);
    const uncommitted = await improve(made, "--apply");
    expect(uncommitted).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("not committed") as string,
    });
    const byHand = await improve(made);
    expect(byHand).toMatchObject({ exitCode: 2, err: expect.stringContaining("changed by hand") as string });
    await writeFile(made.path("skills/greeter/SKILL.md"), SKILL);
    const otherSeed = await improve(made, "--seed", String(OTHER_SEED));
    expect(otherSeed).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("started with another") as string,
    });
    expect(await made.text(".assay/greeter/history.json")).toBe(kept);
    expect(await made.text("skills/greeter/SKILL.md")).toBe(SKILL);
  });

  it("does not overwrite a skill that was changed while it was at work", async () => {
    await using made = await project();
    const skill = made.path("skills/greeter/SKILL.md");
    const meddling = `${await made.text("agent.sh")}[ "$word" = good ] && echo Mine. >> "${skill}"\ntrue\n`;
    await writeFile(made.path("agent.sh"), meddling);
    const { exitCode, err } = await improve(made, "--rounds", "1", "--apply");
    expect(err).toContain("v1: confirmed");
    expect(err).toContain("skills/greeter/SKILL.md has changes that are not committed");
    expect(exitCode).toBe(2);
    expect(await made.text("skills/greeter/SKILL.md")).toBe(`${SKILL}${"Mine.\n".repeat(1 + 2 * 3)}`);
    made.git("checkout", "-q", "skills");
    expect((await improve(made, "--rounds", "1", "--apply")).exitCode).toBe(0);
    expect(await made.text("skills/greeter/SKILL.md")).toBe(SKILL.replace("meh", "good"));
    expect(await runs(made)).toBe(2 + 2 * 3 * 2);
  });

  it("refuses the workspace of another skill", async () => {
    await using made = await project();
    await mkdir(made.path(".assay/greeter"));
    const foreign = {
      started_at: "2026-01-15T10:30:00Z",
      skill_name: "pdf",
      current_best: "v0",
      iterations: [],
    };
    const entry = {
      version: "v0",
      parent: null,
      expectation_pass_rate: 1,
      grading_result: "baseline",
      is_current_best: true,
    };
    const ours = { ...entry, leads: true, iteration: 1 };
    for (const [iterations, says] of [
      [[entry], "not a history that can be continued"],
      [[ours], 'is about the skill "pdf", not "greeter"'],
    ] as const) {
      const text = JSON.stringify({ ...foreign, iterations });
      await writeFile(made.path(".assay/greeter/history.json"), text);
      const { exitCode, err } = await improve(made);
      expect(err).toContain(says);
      expect(exitCode).toBe(2);
      expect(await made.text(".assay/greeter/history.json")).toBe(text);
    }
  });

  it("refuses without a model before anything runs", async () => {
    await using made = await project();
    const { exitCode, err } = await assay(improveArgs(made), {
      cwd: made.root,
      env: { PATH: "/usr/bin:/bin" },
    });
    expect(err).toContain("there is no model to propose anything");
    expect(exitCode).toBe(2);
    await expect(made.text(".assay/runs.txt")).rejects.toThrow("ENOENT");
  });

  it("asks for cases with checks", async () => {
    await using made = await project();
    await writeFile(
      made.path("skills/greeter/evals/evals.json"),
      JSON.stringify({ evals: [{ id: 1, prompt: "x" }] }),
    );
    const { exitCode, err } = await improve(made);
    expect(err).toContain("has no case with checks");
    expect(exitCode).toBe(2);
  });
});
