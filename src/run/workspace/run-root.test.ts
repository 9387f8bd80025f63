import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

import { UserError } from "../../domain/user-error.ts";
import { Ground } from "./fixtures/kit.ts";
import { openRunRoot, rootProblem, sweepRunRoots } from "./run-root.ts";

describe("openRunRoot", () => {
  it.each(["CLAUDE.md", "AGENTS.md", ".claude/", ".agents/", "GEMINI.md", ".mcp.json"])(
    "passes over a directory below %s and takes the next",
    async (name) => {
      await using here = new Ground();
      here.write(
        { [path.join("bad", name)]: name.endsWith("/") ? null : "x", "bad/deep": null, good: null },
        here.root,
      );
      expect(await rootProblem(here.at("bad/deep"))).toContain(here.at("bad", name.replace("/", "")));
      const candidates = [here.at("bad/deep"), here.at("nowhere"), here.at("good")];
      await using root = await openRunRoot({ candidates, token: "abcd1234", pid: process.pid });
      expect(root.path).toBe(here.at("good/assay-abcd1234"));
    },
  );

  it("says what is wrong with each when none will do", async () => {
    await using here = new Ground();
    here.write({ "AGENTS.md": "x", "with space": null }, here.root);
    here.write({ plain: null }, here.at("with space"));
    const candidates = [here.at("project"), here.at("nowhere")];
    const opening = openRunRoot({ candidates, token: "abcd1234", pid: 1 });
    await expect(opening).rejects.toThrow(UserError);
    await expect(opening).rejects.toThrow(
      /AGENTS\.md, which agents would read; .*nowhere cannot be written to \(ENOENT\)/,
    );
    expect(await rootProblem(here.at("with space/plain"))).toContain("shell");
  });

  it("looks behind links", async () => {
    await using here = new Ground();
    here.write({ "bad/CLAUDE.md": "x", "bad/deep": null }, here.root);
    symlinkSync(here.at("bad/deep"), here.at("link"));
    expect(await rootProblem(here.at("link"))).toContain("CLAUDE.md");
  });

  it("is removed with its scope", async () => {
    await using here = new Ground();
    {
      await using root = await openRunRoot({ candidates: [here.run], token: "33333333", pid: 3 });
      writeFileSync(path.join(root.path, "f"), "x");
    }
    expect(existsSync(path.join(here.run, "assay-33333333"))).toBe(false);
  });
});

describe("sweepRunRoots", () => {
  it("removes what a killed process left, and nothing that is held or names no owner", async () => {
    await using here = new Ground();
    await using held = await openRunRoot({ candidates: [here.run], token: "11111111", pid: 99_999_999 });
    const left = leftByKilled(here.run, "22222222");
    mkdirSync(path.join(here.run, "assay-foreign"));
    expect(await sweepRunRoots(here.run, new Date())).toEqual([left]);
    expect(existsSync(held.path)).toBe(true);
    expect(existsSync(path.join(here.run, "assay-foreign"))).toBe(true);
  });

  it("works where paths are longer than a socket's may be", async () => {
    await using here = new Ground();
    const deep = path.join(here.run, "d".repeat(120));
    mkdirSync(deep);
    await using held = await openRunRoot({ candidates: [deep], token: "11111111", pid: process.pid });
    const left = leftByKilled(deep, "22222222");
    expect(await sweepRunRoots(deep, new Date())).toEqual([left]);
    expect(existsSync(held.path)).toBe(true);
  });

  it("leaves what another machine or boot made alone, until it was silent for a day", async () => {
    await using here = new Ground();
    const root = leftByKilled(here.run, "22222222");
    const owner = path.join(root, "owner.json");
    writeFileSync(owner, JSON.stringify({ pid: 1, boot: "another", socket: true }));
    expect(await sweepRunRoots(here.run, new Date())).toEqual([]);
    const later = new Date(Date.now() + 25 * 60 * 60 * 1000);
    expect(await sweepRunRoots(here.run, later)).toEqual([root]);
  });
});

/** The root of a process that had no time to remove it. */
function leftByKilled(candidate: string, token: string): string {
  const root = path.join(candidate, `assay-${token}`);
  mkdirSync(root);
  const code = `require("net").createServer().listen("owner.sock", () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["--eval", code], { cwd: root });
  expect(existsSync(path.join(root, "owner.sock"))).toBe(true);
  const boot =
    process.platform === "linux"
      ? readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
      : "this machine";
  writeFileSync(path.join(root, "owner.json"), JSON.stringify({ pid: process.pid, boot, socket: true }));
  return root;
}
