import { existsSync } from "node:fs";
import { cp, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { assay, type CommandSurroundings } from "../support/command-line.ts";
import { json } from "../support/greeters.ts";
import { GOOD_REPLIES } from "../support/project.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

// Each test starts a server in a sandbox, and some run an agent.
vi.setConfig({ testTimeout: 120_000 });

const FIXTURE = fileURLToPath(new URL("fixtures/skill-server.mjs", import.meta.url));
const AGENT = ["--harness", "scripted", "--script", "script.json"];

/** A project beside a folder with the server's program. */
async function project(): Promise<TempTree> {
  const tree = await tempTree({
    "project/assay.config.json": "{}",
    "project/secret.txt": "mine",
    "project/script.json": JSON.stringify({ replies: GOOD_REPLIES }),
  });
  await cp(FIXTURE, tree.path("server/skill-server.mjs"));
  return tree;
}

function serving(tree: TempTree, manner: string, more = ""): string {
  return `mcp:${process.execPath} ${tree.path("server/skill-server.mjs")} ${manner}${more}`;
}

function run(
  tree: TempTree,
  target: string,
  words: readonly string[] = ["--trust"],
  more: Partial<CommandSurroundings> = {},
) {
  return assay(["run", target, ...AGENT, ...words], { cwd: tree.path("project"), ...more });
}

async function kept(tree: TempTree): Promise<readonly string[]> {
  return readdir(tree.path("project/.assay/served")).catch(() => []);
}

describe("assay run mcp:…", () => {
  it("fetches what a server serves, pins it and runs it as any skill", async () => {
    await using tree = await project();
    const { exitCode, err } = await run(tree, serving(tree, "good"));
    expect(err).toMatch(/skill:\/\/acme\/greeter\/SKILL\.md is pinned as sha256:[0-9a-f]{64} \(4 files\)/);
    expect(exitCode).toBe(0);
    const [pinned = ""] = await kept(tree);
    const skill = tree.path(`project/.assay/served/${pinned}/greeter`);
    expect((await readdir(skill)).sort()).toEqual(["SKILL.md", "evals", "references", "scripts"]);
    expect(await readFile(join(skill, "scripts/greet.sh"), "utf8")).toBe("#!/bin/sh\necho hello\n");
    expect((await stat(join(skill, "scripts/greet.sh"))).mode & 0o100).not.toBe(0);
    const manifest = await json<{ skill: { path: string } }>(
      tree.path("project/.assay/greeter/iteration-1/run.json"),
    );
    expect(manifest.skill.path).toBe(skill);
    expect((await run(tree, serving(tree, "good", "#greeter"))).exitCode).toBe(0);
    expect(await kept(tree)).toEqual([pinned]);
  });

  it("finds a server's program in the folder one is in", async () => {
    await using tree = await project();
    await cp(FIXTURE, tree.path("project/skill-server.mjs"));
    const { exitCode, err } = await run(tree, `mcp:${process.execPath} skill-server.mjs good`);
    expect(err).toContain("is pinned as");
    expect(exitCode).toBe(0);
  });

  it("speaks the newer protocol, too, and finds a skill by its URI", async () => {
    await using tree = await project();
    expect((await run(tree, serving(tree, "modern"))).exitCode).toBe(0);
    expect((await run(tree, serving(tree, "good", "#skill://acme/greeter/SKILL.md"))).exitCode).toBe(0);
  });

  it("starts no server without consent, and remembers a yes for that very command", async () => {
    await using tree = await project();
    const refused = await run(tree, serving(tree, "good"), []);
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toContain("run/untrusted-server");
    const asked: string[] = [];
    const answer = (reply: string) => ({
      answer: (question: string, err: string) => {
        asked.push(`${err}${question}`);
        return reply;
      },
    });
    expect((await run(tree, serving(tree, "good"), [], answer("n"))).exitCode).toBe(2);
    expect(asked[0]).toContain("skill-server.mjs good");
    expect(await kept(tree)).toEqual([]);
    expect((await run(tree, serving(tree, "good"), [], answer("y"))).exitCode).toBe(0);
    expect((await run(tree, serving(tree, "good"), [])).exitCode).toBe(0);
    expect((await run(tree, serving(tree, "modern"), [])).exitCode).toBe(2);
    const dry = await run(tree, serving(tree, "good"), ["--dry-run"]);
    expect(dry.exitCode).toBe(2);
    expect(dry.err).toContain("served/not-dry");
  });

  it.runIf(process.platform === "linux")("keeps the server from the project and from keys", async () => {
    await using tree = await project();
    const target = `${serving(tree, "pries")} ${tree.path("project")}`;
    const { exitCode, err } = await run(tree, target, ["--trust"], {
      env: { MY_API_KEY: "sk-test-12345678" },
    });
    expect(err).toContain("is pinned as");
    expect(exitCode).toBe(0);
    expect(existsSync(tree.path("project/pried.txt"))).toBe(false);
  });

  it.each([
    ["lies", "does not have the digest it says"],
    ["sizes", "bytes, and it says"],
    ["frontmatter", "its frontmatter is not the one in its SKILL.md"],
    ["escapes", "it lists the path"],
    ["encoded", "it lists the path"],
    ["huge", "and may have 16777216"],
    ["many", "and may have 512"],
    ["dynamic", "cannot be pinned"],
    ["pages", "more than 50 pages"],
    ["toolsonly", "does not declare the extension"],
    ["dies", "it ended before it had answered"],
    ["floods", "it sent more than"],
    ["hangs", "it did not answer skills/list within 3 s"],
  ])("refuses a server that is bad in this way: %s", async (manner, words) => {
    await using tree = await project();
    const { exitCode, err, out } = await run(tree, serving(tree, manner), ["--trust", "--timeout", "3"]);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(err).toContain(words);
    expect(await kept(tree)).toEqual([]);
    expect(existsSync(tree.path("escaped.txt"))).toBe(false);
    expect(existsSync(tree.path("project/.assay/greeter"))).toBe(false);
  });

  it("says what is wrong with a target that names no program or no skill", async () => {
    await using tree = await project();
    expect((await run(tree, "mcp:")).err).toContain("served/bad-target");
    expect((await run(tree, "mcp:no-such-program-here")).err).toContain("served/no-program");
    expect((await run(tree, serving(tree, "good", "#painter"))).err).toContain('no skill called "painter"');
  });
});
