import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acquireLock, type FileLock, isLocked, type LockHolder } from "./file-lock.ts";
import { lifeOf, ownIdentity } from "./process-identity.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
  path = join(folder, "runner.lock");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function take(): Promise<FileLock> {
  const attempt = await acquireLock(path);
  if (!attempt.acquired) throw new Error("not acquired");
  return attempt.lock;
}

async function leave(change: Partial<LockHolder["process"]>): Promise<void> {
  const holder: LockHolder = {
    process: { ...(await ownIdentity()), ...change },
    token: "left-behind",
    acquiredAt: "2026-01-01T00:00:00.000Z",
  };
  await writeFile(path, JSON.stringify(holder));
}

describe("acquireLock", () => {
  it("refuses the second and names the first", async () => {
    const lock = await take();
    expect(await acquireLock(path)).toMatchObject({
      acquired: false,
      holder: { process: { pid: process.pid } },
    });
    expect(await isLocked(path)).toBe(true);
    await lock.release();
    expect(await isLocked(path)).toBe(false);
    await (await take()).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it("lets exactly one of many win, and leaves only the lock", async () => {
    const attempts = await Promise.all(Array.from({ length: 20 }, () => acquireLock(path)));
    expect(attempts.filter(({ acquired }) => acquired)).toHaveLength(1);
    expect(await readdir(folder)).toEqual(["runner.lock"]);
  });

  it("removes what killed processes left on their way to it, and nothing else", async () => {
    for (const name of [`${path}.${randomUUID()}`, `${path}.${randomUUID()}.claim`, `${path}.copy`])
      await writeFile(name, "");
    await using lock = await take();
    expect(lock).toBeDefined();
    expect((await readdir(folder)).toSorted()).toEqual(["runner.lock", "runner.lock.copy"]);
  });

  it("says so when the folder is missing", async () => {
    await expect(acquireLock(join(folder, "no", "lock"))).rejects.toThrow(/ENOENT/);
  });

  it("is released at the end of a scope, and then only its own", async () => {
    {
      await using lock = await take();
      expect(lock).toBeDefined();
    }
    expect(await isLocked(path)).toBe(false);
    const first = await take();
    await rm(path);
    await leave({});
    await first.release();
    expect(await readFile(path, "utf8")).toContain("left-behind");
  });
});

describe("an abandoned lock", () => {
  it.each([
    ["a process that is gone", { pid: 2 ** 22 + 1 }],
    ["a number that another process has now", { startedAt: "1" }],
    ["an earlier boot of this machine", { bootId: "00000000-0000-0000-0000-000000000000" }],
  ])("of %s is taken over", async (_, change) => {
    await leave(change);
    expect(await isLocked(path)).toBe(false);
    await (await take()).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ["another machine", { host: "elsewhere" }],
    ["another container", { pidNamespace: "pid:[1]" }],
  ])("of %s counts as held until it has been silent for long", async (_, change) => {
    await leave(change);
    expect(await acquireLock(path)).toMatchObject({ acquired: false, holder: { token: "left-behind" } });
    expect(await isLocked(path)).toBe(true);
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(path, longAgo, longAgo);
    expect(await isLocked(path)).toBe(false);
    await (await take()).release();
  });

  it("that says nothing about its holder counts as held until it has been silent for long", async () => {
    await writeFile(path, "");
    expect(await acquireLock(path)).toEqual({ acquired: false, holder: null });
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(path, longAgo, longAgo);
    await (await take()).release();
  });

  it("is taken over by exactly one of many", async () => {
    for (let round = 0; round < 5; round++) {
      await leave({ pid: 2 ** 22 + 1 });
      const attempts = await Promise.all(Array.from({ length: 12 }, () => acquireLock(path)));
      const winners = attempts.filter((attempt) => attempt.acquired);
      expect(winners).toHaveLength(1);
      await winners[0]!.lock.release();
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it("is taken over although an earlier takeover crashed half way", async () => {
    await leave({ pid: 2 ** 22 + 1 });
    await writeFile(`${path}.left-behind.claim`, "");
    await (await take()).release();
    expect(await readdir(folder)).toEqual([]);
  }, 10_000);
});

describe("lifeOf", () => {
  it("sees a child live and die", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await once(child, "spawn");
    const identity = { ...(await ownIdentity()), pid: child.pid!, startedAt: null };
    expect(await lifeOf(identity)).toBe("alive");
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await lifeOf(identity)).toBe("dead");
  });
});
