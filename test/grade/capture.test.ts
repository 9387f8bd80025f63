import { chmod, readFile, stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { greeterProject } from "../support/project.ts";
import type { TempTree } from "../support/temp-tree.ts";

const SCRIPT = ["--harness", "scripted", "--script", "script.json"];
const KEPT = ".assay/captures/greeter.txt";

/** What the agent was asked is what it answers. */
const ECHO = '#!/bin/bash\necho \'{"type":"session","skills":["greeter"]}\'\necho "asked: $(cat)"\n';

async function isThere(project: TempTree, path: string): Promise<boolean> {
  return (await stat(project.path(path)).catch(() => null)) !== null;
}

describe("assay capture", () => {
  it("runs the skill once with the words after --, keeps the answer and how it came about, and no iteration", async () => {
    await using project = await greeterProject([], { "echo.sh": ECHO });
    await chmod(project.path("echo.sh"), 0o755);
    const harness = ["--harness", "command", "--command", project.path("echo.sh")];
    const call = ["capture", "skills/greeter", ...harness, "--", "Ada Lovelace", "--loud", 'the "first"'];
    const { exitCode, out } = await assay(call, { cwd: project.root });
    expect(out).toBe(`${project.path(KEPT)}\n`);
    expect(exitCode).toBe(0);
    expect(await readFile(project.path(KEPT), "utf8")).toBe(
      'asked: /greeter "Ada Lovelace" --loud "the \\"first\\""',
    );
    const about = JSON.parse(
      await readFile(project.path(".assay/captures/greeter.capture.json"), "utf8"),
    ) as {
      captured_at: string;
    };
    expect(about).toMatchObject({
      schema_version: 1,
      skill_name: "greeter",
      skill_args: 'Ada Lovelace --loud the "first"',
      args: ["Ada Lovelace", "--loud", 'the "first"'],
    });
    expect(Date.parse(about.captured_at)).toBeGreaterThan(0);
    expect(await isThere(project, ".assay/greeter")).toBe(false);
  });

  it("shows the agent nothing of earlier results", async () => {
    await using project = await greeterProject([], {
      "look.sh": '#!/bin/bash\necho \'{"type":"session","skills":["greeter"]}\'\ncat >/dev/null\nls -A\n',
      "notes.txt": "open to all",
      "results/captures/greeter.txt": "an earlier answer",
    });
    await chmod(project.path("look.sh"), 0o755);
    const harness = ["--harness", "command", "--command", project.path("look.sh"), "--out", "seen.txt"];
    const call = ["capture", "skills/greeter", ...harness, "--workspace", "results"];
    expect(await assay(call, { cwd: project.root })).toMatchObject({ exitCode: 0 });
    const seen = (await readFile(project.path("seen.txt"), "utf8")).split("\n");
    expect(seen).toContain("notes.txt");
    expect(seen).not.toContain("results");
  });

  it("masks secrets, and never overwrites evidence unasked", async () => {
    const key = "sk-ant-test-0123456789abcdefghij";
    await using project = await greeterProject([{ steps: [{ text: `the key is ${key}` }] }]);
    const call = ["capture", "skills/greeter", ...SCRIPT, "--", key];
    const world = { cwd: project.root, env: { ANTHROPIC_API_KEY: key } };
    expect(await assay(call, world)).toMatchObject({ exitCode: 0 });
    const kept = await readFile(project.path(KEPT), "utf8");
    expect(kept).toBe("the key is [masked]");
    expect(await readFile(project.path(".assay/captures/greeter.capture.json"), "utf8")).not.toContain(key);
    const refused = await assay(call, world);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.err).toContain("capture/exists");
    expect(await assay(["capture", "skills/greeter", ...SCRIPT, "--force"], world)).toMatchObject({
      exitCode: 0,
    });
    const elsewhere = ["capture", "skills/greeter/SKILL.md", ...SCRIPT, "--out", "evidence/one.txt"];
    expect(await assay(elsewhere, world)).toMatchObject({ exitCode: 0 });
    expect(await isThere(project, "evidence/one.capture.json")).toBe(true);
  });

  it.each([
    [[{ exit: 3 }], 1, "crashed"],
    [[{ text: "hm" }, { fail: { reason: "auth", message: "no key" } }], 3, "auth: no key"],
  ])("keeps nothing of a run that ends as %j", async (steps, code, why) => {
    await using project = await greeterProject([{ steps }]);
    const { exitCode, err } = await assay(["capture", "skills/greeter", ...SCRIPT], { cwd: project.root });
    expect(err).toContain(why);
    expect(exitCode).toBe(code);
    expect(await isThere(project, KEPT)).toBe(false);
  });

  it("refuses what is no skill", async () => {
    await using project = await greeterProject([]);
    const { exitCode, err } = await assay(["capture", "skills/nobody", ...SCRIPT], { cwd: project.root });
    expect(err).toContain("capture/no-skill");
    expect(exitCode).toBe(2);
  });

  it("gives what grade --output takes", async () => {
    await using project = await greeterProject([{ steps: [{ text: "Hello Ada" }] }]);
    await assay(["capture", "skills/greeter", ...SCRIPT, "--", "Ada"], { cwd: project.root });
    const call = ["grade", "--output", KEPT, "--skill", "skills/greeter", "--case", "1"];
    expect(await assay(call, { cwd: project.root })).toMatchObject({ exitCode: 0 });
  });
});
