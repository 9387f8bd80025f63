import { existsSync } from "node:fs";
import { mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "make-folder-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it("makes a folder and what is missing above it, also when several ask at once", async () => {
  const path = join(root, "a", "b", "c");
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(root, "a", "b", "d"))]);
  expect((await stat(path)).isDirectory()).toBe(true);
  await makeFolder(path);
});

it("bears that another makes the folder above while it looks", async () => {
  for (let n = 0; n < 200; n++) {
    const paths = Array.from({ length: 8 }, (_, index) => join(root, `${n}`, "a", `${index}`));
    await Promise.all(paths.map((path) => makeFolder(path)));
    expect(paths.every((path) => existsSync(path))).toBe(true);
  }
});

it("says so where a file, or a link that leads nowhere, is in the way", async () => {
  await writeFile(join(root, "file"), "");
  await expect(makeFolder(join(root, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  await expect(makeFolder(join(root, "file", "x"))).rejects.toMatchObject({ code: "ENOTDIR" });
  await symlink(join(root, "nowhere"), join(root, "link"));
  await expect(makeFolder(join(root, "link", "x"))).rejects.toMatchObject({ code: "EEXIST" });
});

it.skipIf(!existsSync("/proc/self"))("ends where the system makes no folders", async () => {
  await expect(makeFolder("/proc/assay/x")).rejects.toMatchObject({ code: "ENOENT" });
});
