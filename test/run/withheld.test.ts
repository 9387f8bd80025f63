import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { numberedWorkspace, PROJECT } from "../foreign/workspaces.ts";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { tempTree } from "../support/temp-tree.ts";

/** Not real, and of no shape that could be told without knowing it. */
const KEY = "Wq8Zr2mT9xKb4LsV8nYd3uE7";
const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };
const packed = gzipSync(`key ${KEY}\n`.repeat(50));

it(
  "what the kept copy of a skill lacks, because a secret is packed in it, is said",
  { timeout: 60_000 },
  async () => {
    await using tree = await greeterProject(GOOD_REPLIES, { "skills/greeter/assets/.keep": "" });
    writeFileSync(tree.path("skills/greeter/assets/old.gz"), packed);
    const { exitCode, err } = await assay([...RUN, "--no-grade"], { cwd: tree.root, env });
    expect(exitCode).toBe(0);
    expect(err).toContain(
      "greeter: assets/old.gz is left out of the copy of the skill that results keep: it contains a packed secret",
    );
    const kept = readdirSync(tree.path(".assay/greeter/skills"), { recursive: true, encoding: "utf8" });
    expect(kept.filter((path) => path.endsWith("SKILL.md"))).toHaveLength(1);
    expect(kept.filter((path) => path.endsWith("old.gz"))).toEqual([]);
  },
);

it("what an import lacks, because a secret is packed in it, is said", { timeout: 60_000 }, async () => {
  await using tree = await tempTree({ ...PROJECT, ...numberedWorkspace() });
  const run = "greeter-workspace/iteration-1/eval-1-ada/with_skill/run-1";
  writeFileSync(tree.path(`${run}/outputs/old.gz`), packed);
  const { out } = await assay(["show", run, "--all"], { cwd: tree.root, env });
  expect(out).toContain("old.gz was not kept: it contains a packed secret");
  expect(existsSync(tree.path(`${run}/outputs/old.gz`))).toBe(true);
  const imported = readdirSync(tree.path(".assay"), { recursive: true, encoding: "utf8" });
  expect(imported.filter((path) => path.endsWith("greeting.txt")).length).toBeGreaterThan(0);
  expect(imported.filter((path) => path.endsWith("old.gz"))).toEqual([]);
});
