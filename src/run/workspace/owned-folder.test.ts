import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";

import { Ground } from "./fixtures/kit.ts";
import { openOwnedFolder, ownedToken, sweepOwnedFolders } from "./owned-folder.ts";

describe("openOwnedFolder", () => {
  it("is made anew when a sweep took it before anything was in it", async () => {
    await using here = new Ground();
    const { mkdir } = promises;
    promises.mkdir = (async (folder: string, options: object) => {
      await mkdir(folder, options);
      promises.mkdir = mkdir;
      syncBuiltinESMExports();
      expect(await sweepOwnedFolders(here.run, new Date())).toEqual([folder]);
    }) as typeof mkdir;
    syncBuiltinESMExports();
    await using root = await openOwnedFolder(here.run, { token: "44444444", pid: 1 });
    expect(existsSync(path.join(root.path, "owner.json"))).toBe(true);
  });
});

describe("sweepOwnedFolders", () => {
  it("removes what a killed process left, and nothing that is held or names no owner", async () => {
    await using here = new Ground();
    await using held = await openOwnedFolder(here.run, { token: "11111111", pid: 99_999_999 });
    const left = leftByKilled(here.run, "22222222");
    mkdirSync(path.join(here.run, "assay-foreign"));
    expect(await sweepOwnedFolders(here.run, new Date())).toEqual([left]);
    expect(existsSync(held.path)).toBe(true);
    expect(existsSync(path.join(here.run, "assay-foreign"))).toBe(true);
  });

  it("removes one whose process was killed before it could say who it is", async () => {
    await using here = new Ground();
    await using held = await openOwnedFolder(here.run, { token: "11111111", pid: process.pid });
    const left = leftByKilled(here.run, "22222222");
    for (const root of [held.path, left]) rmSync(path.join(root, "owner.json"));
    expect(await sweepOwnedFolders(here.run, new Date())).toEqual([left]);
  });

  it("goes on with what was being removed when its remover was killed", async () => {
    await using here = new Ground();
    const half = path.join(here.run, "assay-probe-22222222.removed");
    mkdirSync(path.join(half, "home"), { recursive: true });
    expect(await sweepOwnedFolders(here.run, new Date())).toEqual([half]);
    expect(readdirSync(here.run)).toEqual([]);
  });

  it("removes one that nothing is known of after a day", async () => {
    await using here = new Ground();
    const root = path.join(here.run, `assay-${ownedToken("judge")}`);
    mkdirSync(root);
    writeFileSync(path.join(root, "owner.json"), '{"pid":1,"bo');
    expect(await sweepOwnedFolders(here.run, new Date())).toEqual([]);
    const later = new Date(Date.now() + 25 * 60 * 60 * 1000);
    expect(await sweepOwnedFolders(here.run, later)).toEqual([root]);
  });

  it("removes one whose process was killed before it wrote anything", async () => {
    await using here = new Ground();
    const empty = path.join(here.run, "assay-33333333");
    mkdirSync(empty);
    expect(await sweepOwnedFolders(here.run, new Date())).toEqual([empty]);
  });

  it("works where paths are longer than a socket's may be", async () => {
    await using here = new Ground();
    const deep = path.join(here.run, "d".repeat(120));
    mkdirSync(deep);
    await using held = await openOwnedFolder(deep, { token: "11111111", pid: process.pid });
    const left = leftByKilled(deep, "22222222");
    expect(await sweepOwnedFolders(deep, new Date())).toEqual([left]);
    expect(existsSync(held.path)).toBe(true);
  });

  it("leaves what another machine or boot made alone, until it was silent for a day", async () => {
    await using here = new Ground();
    const root = leftByKilled(here.run, "22222222");
    const owner = path.join(root, "owner.json");
    writeFileSync(owner, JSON.stringify({ pid: 1, boot: "another", socket: true }));
    expect(await sweepOwnedFolders(here.run, new Date())).toEqual([]);
    const later = new Date(Date.now() + 25 * 60 * 60 * 1000);
    expect(await sweepOwnedFolders(here.run, later)).toEqual([root]);
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
