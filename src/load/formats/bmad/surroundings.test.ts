import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bmadDirectory, overlaysOf, toFixture } from "./surroundings.ts";

let root = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "bmad-"));
  const files = [
    "project/shared.md",
    "project/evals/x/evals.json",
    "project/evals/x/triggers.json",
    "project/evals/x/local.md",
    "project/evals/x/shared.md",
    "project/evals/x/files/deep/a.md",
    "project/evals/x/setup/.claude/skills/dep/SKILL.md",
    "project/evals/x/C1/setup/_bmad/config.yaml",
    "project/evals/y/B2/setup/a",
    "project/evals/z/evals.json",
    "project/evals/z/setup",
    "outside/secret",
  ];
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "x");
  }
  await symlink(join(root, "outside/secret"), join(root, "project/evals/x/leak"));
  await symlink(join(root, "project/shared.md"), join(root, "project/evals/x/inner"));
  await symlink("loop", join(root, "project/evals/x/loop"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe("bmadDirectory", () => {
  it.each([
    ["x", { overlays: true, triggers: true }],
    ["y", { overlays: true, triggers: false }],
    ["z", { overlays: false, triggers: false }],
    ["nowhere", { overlays: false, triggers: false }],
    ["z/evals.json", { overlays: false, triggers: false }],
  ])("%s", async (name, expected) => {
    expect(await bmadDirectory(join(root, "project/evals", name))).toEqual(expected);
  });
});

describe("overlaysOf", () => {
  it.each([
    ["x/evals.json", "C1", ["x/setup", "x/C1/setup"]],
    ["x/evals.json", "A1", ["x/setup"]],
    ["y/evals.json", "B2", ["y/B2/setup"]],
    ["z/evals.json", "A1", []],
  ])("%s %s", async (file, id, expected) => {
    const evals = join(root, "project/evals");
    expect(await overlaysOf(join(evals, file), id)).toEqual(expected.map((path) => join(evals, path)));
  });
});

describe("toFixture", () => {
  const look = (target: string) => {
    const roots = [join(root, "project"), join(root, "project/evals/x")];
    return toFixture({ declared: `./${target}`, target }, roots);
  };

  it.each([
    ["evals/x/files/deep/a.md", "project/evals/x/files/deep/a.md"],
    ["files/deep/a.md", "project/evals/x/files/deep/a.md"],
    ["local.md", "project/evals/x/local.md"],
    ["shared.md", "project/shared.md"],
    ["inner", "project/evals/x/inner"],
  ])("finds %s, the project first", async (target, source) => {
    expect(await look(target)).toEqual({
      kind: "path",
      declared: `./${target}`,
      source: join(root, source),
      target,
      problem: null,
    });
  });

  it.each([
    ["nowhere.md", "neither in the project"],
    ["files/deep", "is a directory"],
    ["leak", "points outside the project"],
    ["loop", "neither"],
    ["x".repeat(5000), "neither"],
    ["shared.md/below", "neither"],
  ])("says why %s cannot be staged", async (target, problem) => {
    const fixture = await look(target);
    expect(fixture).toMatchObject({ source: null, target, problem: expect.stringContaining(problem) });
  });
});
