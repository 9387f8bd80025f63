import { spawnSync } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCommand } from "../support/built-command.ts";
import { EXAMPLES } from "../support/examples.ts";
import { tempTree } from "../support/temp-tree.ts";

let command: Awaited<ReturnType<typeof builtCommand>>;
beforeAll(async () => {
  command = await builtCommand();
}, 60_000);
afterAll(() => command[Symbol.asyncDispose]());

const check = (env: Record<string, string>) =>
  spawnSync(process.execPath, [command.path, "check"], { cwd: EXAMPLES, encoding: "utf8", env });
const OK = { status: 0, stdout: expect.stringMatching(/^ok: 4 skills/), stderr: "" };

const filesBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe("compiled code of the command", () => {
  it("is kept in the user's cache, readable by nobody else, and nowhere else at home", async () => {
    await using tree = await tempTree({ "home/": "" });
    expect(check({ HOME: tree.path("home") })).toMatchObject(OK);
    const kept = await filesBelow(tree.path("home"));
    expect(kept).not.toEqual([]);
    for (const file of kept) {
      expect(file).toContain(tree.path("home/.cache/assay/code/"));
      expect((await stat(file)).mode & 0o077).toBe(0);
    }
    const before = await Promise.all(kept.map((file) => stat(file)));
    expect(check({ HOME: tree.path("home") })).toMatchObject(OK);
    const after = await Promise.all(kept.map((file) => stat(file)));
    expect(after.map(({ ino }) => ino)).toEqual(before.map(({ ino }) => ino));
  });

  it("does not keep a configuration from being run", async () => {
    await using tree = await tempTree({ "home/": "", "own.mjs": "export default { runs: 0 };\n" });
    const args = [command.path, "check", "--config", tree.path("own.mjs")];
    const run = () =>
      spawnSync(process.execPath, args, {
        cwd: EXAMPLES,
        encoding: "utf8",
        env: { HOME: tree.path("home") },
      });
    const first = run();
    expect(first).toMatchObject({ status: 2, stderr: expect.stringContaining("own.mjs:1:1 error") });
    expect(run()).toMatchObject({ status: 2, stderr: first.stderr });
  });

  it.each([
    ["cut short", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["empty", () => Buffer.alloc(0)],
    ["changed in the middle", (bytes: Buffer) => bytes.map((byte, at) => (at > 600 ? byte ^ 0x5a : byte))],
    ["somebody else's text", () => Buffer.from("module.exports = 1;\n".repeat(100))],
  ])("is made anew where it was %s", async (_, damage) => {
    await using tree = await tempTree({ "home/": "" });
    check({ HOME: tree.path("home") });
    const kept = await filesBelow(tree.path("home"));
    for (const file of kept) await writeFile(file, damage(await readFile(file)));
    expect(check({ HOME: tree.path("home") })).toMatchObject(OK);
    const [first = ""] = kept;
    expect((await readFile(first)).length).toBeGreaterThan(1000);
  });

  it.each([
    ["Node is told not to", (home: string) => ({ HOME: home, NODE_DISABLE_COMPILE_CACHE: "1" })],
    ["there is no home", (home: string) => ({ HOME: join(home, "gone") })],
    ["nobody says where home is", () => ({})],
  ])("is not kept where %s", async (_, env) => {
    await using tree = await tempTree({ "home/": "" });
    expect(check(env(tree.path("home")))).toMatchObject(OK);
    expect(await readdir(tree.path("home"))).toEqual([]);
  });
});
