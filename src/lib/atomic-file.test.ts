import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { syncFolder, writeFileAtomic } from "./atomic-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "atomic-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("writeFileAtomic", () => {
  it.each([true, false])("creates and replaces, and leaves nothing else (durable: %s)", async (durable) => {
    const path = join(folder, "a.json");
    await writeFileAtomic(path, "one", { durable });
    await writeFileAtomic(path, new TextEncoder().encode("zwei"), { durable });
    expect(await readFile(path, "utf8")).toBe("zwei");
    expect(await readdir(folder)).toEqual(["a.json"]);
  });

  it.skipIf(process.platform === "win32")("applies the mode", async () => {
    const path = join(folder, "token");
    await writeFileAtomic(path, "x", { mode: 0o600 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("keeps the old state and removes its temporary file when the name cannot be taken", async () => {
    const path = join(folder, "taken");
    await writeFile(join(folder, "keep"), "old");
    await mkdir(path);
    await expect(writeFileAtomic(path, "new")).rejects.toThrow(/EISDIR|EPERM|ENOTEMPTY|EEXIST/);
    expect((await readdir(folder)).sort()).toEqual(["keep", "taken"]);
  });

  it("says so when the folder is missing", async () => {
    await expect(writeFileAtomic(join(folder, "no", "a"), "x")).rejects.toThrow(/ENOENT/);
  });

  it("never shows a part to a reader while writers race", async () => {
    const path = join(folder, "shared");
    const contents = ["a", "b", "c", "d"].map((letter) => letter.repeat(200_000));
    await writeFileAtomic(path, contents[0]!, { durable: false });
    const rounds = { left: 10 };
    const seen = new Set<string>();
    const reader = (async () => {
      while (rounds.left > 0) seen.add(await readFile(path, "utf8"));
    })();
    for (; rounds.left > 0; rounds.left--) {
      await Promise.all(contents.map((content) => writeFileAtomic(path, content, { durable: false })));
    }
    await reader;
    expect([...seen].filter((content) => !contents.includes(content))).toEqual([]);
    expect(await readdir(folder)).toEqual(["shared"]);
  });
});

describe("syncFolder", () => {
  it("accepts a folder and ignores one that is gone", async () => {
    await expect(syncFolder(folder)).resolves.toBeUndefined();
    await expect(syncFolder(join(folder, "gone"))).resolves.toBeUndefined();
  });
});
