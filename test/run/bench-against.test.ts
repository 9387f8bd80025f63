import { existsSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, OBEYS, SKILL } from "../support/greeters.ts";
import { type TempTree } from "../support/temp-tree.ts";

describe("bench --against", () => {
  it("refuses a version that is the same, before anything runs", async () => {
    await using project = await greeters(2, OBEYS);
    const { exitCode, err } = await assay([...BENCH, "--against", "skills/greeter"], { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toContain("greeter is the same in skills/greeter: there is nothing to compare");
    expect(existsSync(project.path(".assay/greeter"))).toBe(false);
  });

  it("compares with a directory", async () => {
    await using project = await greeters(1, OBEYS, { "elsewhere/greeter/SKILL.md": SKILL("Say Good day.") });
    await assay([...BENCH, "--smoke", "--against", "elsewhere/greeter"], { cwd: project.root });
    expect(await said(project)).toEqual({ new_skill: "Say Hello.\n", old_skill: "Say Good day.\n" });
  });

  it("compares with a git ref, and leaves the repository as it was", async () => {
    await using project = await greeters(1, OBEYS);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
        cwd: project.root,
        encoding: "utf8",
      });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "old");
    await writeFile(project.path("skills/greeter/SKILL.md"), SKILL("Say Hi."));
    const before = git("status", "--porcelain", "--", "skills");
    const { exitCode, err } = await assay([...BENCH, "--smoke", "--against", "HEAD"], { cwd: project.root });
    expect(err).toContain("2 trials");
    expect(exitCode).toBe(0);
    expect(await said(project)).toEqual({ new_skill: "Say Hi.\n", old_skill: "Say Hello.\n" });
    expect(git("status", "--porcelain", "--", "skills")).toBe(before);
  });

  it("says what is wrong with a version that is not there", async () => {
    await using project = await greeters(1, OBEYS);
    const { exitCode, err } = await assay([...BENCH, "--against", "nowhere"], { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toContain('"nowhere" is not a directory with a skill');
    expect(err).toContain("is not in a git repository");
  });
});

async function said(project: TempTree): Promise<Record<string, string>> {
  const folder = project.path(".assay/greeter/iteration-1/eval-1");
  const arms = (await readdir(folder)).filter((name) => name.endsWith("_skill"));
  const texts = await Promise.all(
    arms.map((arm) => readFile(join(folder, arm, "run-1/outputs/said.txt"), "utf8")),
  );
  return Object.fromEntries(arms.map((arm, at) => [arm, texts[at] ?? ""]));
}
