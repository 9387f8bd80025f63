import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

import type { Base } from "./base.ts";
import { Bases, type BaseWish } from "./bases.ts";
import { Ground, HOST_ENV, NO_GIT_ENV } from "./fixtures/kit.ts";
import { projectLister } from "./project-files.ts";

describe("the bases of several skills in one project", () => {
  it("share every file they have in common, and each lacks only its own skill", async () => {
    await using ground = new Ground();
    const { bases, wishes } = twoSkills(ground);
    await using alpha = await bases.hold(wishes.alpha);
    await using beta = await bases.hold(wishes.beta);
    expect(filesOf(alpha.base)).toEqual(["docs/guide.md", "link", "readme.md", "skills/beta/SKILL.md"]);
    expect(filesOf(beta.base)).toEqual(["docs/guide.md", "link", "readme.md", "skills/alpha/SKILL.md"]);
    const inode = (base: Base) => statSync(path.join(base.directory, "docs/guide.md")).ino;
    expect(inode(alpha.base)).toBe(inode(beta.base));
  });

  it("are repositories of one clean commit that hold nothing of what is barred", async () => {
    await using ground = new Ground();
    const { bases, wishes } = twoSkills(ground);
    await using alpha = await bases.hold(wishes.alpha);
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: alpha.base.directory, encoding: "utf8", env: HOST_ENV }).trim();
    expect(git("log", "--format=%s")).toBe("Start");
    expect(git("status", "--porcelain", "--untracked-files=all")).toBe("");
    expect(git("ls-tree", "-r", "--name-only", "HEAD").split("\n")).toEqual(filesOf(alpha.base));
    const objects = git("cat-file", "--batch-check=%(objectname)", "--batch-all-objects").split("\n");
    const contents = objects.map((name) => git("cat-file", "-p", name)).join("\n");
    expect(contents).toContain("a guide");
    expect(contents).not.toContain("alpha");
    expect(contents).not.toContain("secret evals");
  });

  it("is the common one itself where there is one skill", async () => {
    await using ground = new Ground();
    const { bases, wishes } = twoSkills(ground, (all) => [all.alpha]);
    await using first = await bases.hold(wishes.alpha);
    await using again = await bases.hold(wishes.alpha);
    expect(again.base.directory).toBe(first.base.directory);
    expect(readdirSync(ground.run)).toEqual(["base-0"]);
  });

  it("are gone when they are released, except for what others use", async () => {
    await using ground = new Ground();
    const { bases, wishes } = twoSkills(ground);
    const alpha = await bases.hold(wishes.alpha);
    await using beta = await bases.hold(wishes.beta);
    await alpha[Symbol.asyncDispose]();
    expect(existsSync(alpha.base.directory)).toBe(false);
    expect(existsSync(path.join(beta.base.directory, "docs/guide.md"))).toBe(true);
  });

  it("do without git where there is none", async () => {
    await using ground = new Ground();
    const { bases, wishes } = twoSkills(ground, undefined, NO_GIT_ENV);
    await using alpha = await bases.hold(wishes.alpha);
    expect(alpha.base.repository).toBeNull();
    expect(existsSync(path.join(alpha.base.directory, ".git"))).toBe(false);
  });
});

type Wishes = Readonly<Record<"alpha" | "beta", BaseWish>>;

function twoSkills(
  ground: Ground,
  expected: (wishes: Wishes) => readonly BaseWish[] = Object.values,
  env = HOST_ENV,
): { bases: Bases; wishes: Wishes } {
  ground.write({
    "readme.md": "read me",
    "docs/guide.md": "a guide",
    link: { link: "docs/guide.md" },
    "evals/evals.json": "secret evals",
  });
  const skillOf = (name: string) => ground.skill(name, path.join(ground.project, "skills", name));
  const wishOf = (name: string): BaseWish => ({
    projectRoot: ground.project,
    skills: [skillOf(name)],
    hidden: [path.join(ground.project, "evals")],
  });
  const wishes = { alpha: wishOf("alpha"), beta: wishOf("beta") };
  const bases = new Bases(ground.run, { env, list: projectLister(env) });
  bases.expect(expected(wishes));
  return { bases, wishes };
}

function filesOf({ entries }: Base): readonly string[] {
  return [...entries]
    .filter(([, kind]) => kind !== "directory")
    .map(([relative]) => relative)
    .toSorted();
}
