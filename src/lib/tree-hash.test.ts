import { execFileSync } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { fileHash, treeHash } from "./tree-hash.ts";

let root: string;
let tree: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "tree-hash-"));
  tree = join(root, "tree");
  await mkdir(join(tree, "sub"), { recursive: true });
  await writeFile(join(tree, "a"), Buffer.from([0, 255, 10, 13]));
  await writeFile(join(tree, "sub/b"), "text");
  await symlink("a", join(tree, "link"));
});
afterEach(() => rm(root, { recursive: true }));

describe("treeHash", () => {
  it("is the same for a copy elsewhere, with other times and in spite of what does not count", async () => {
    const copy = join(root, "copy");
    await cp(tree, copy, { recursive: true, verbatimSymlinks: true });
    await utimes(join(copy, "a"), 1, 1);
    await mkdir(join(copy, "empty"));
    execFileSync("sh", ["-c", `mkfifo "$1"`, "sh", join(copy, "fifo")]);
    expect(await treeHash(copy)).toBe(await treeHash(tree));
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a changed byte", () => writeFile(join(tree, "a"), Buffer.from([0, 254, 10, 13]))],
    ["a new file", () => writeFile(join(tree, "c"), "")],
    ["a deleted file", () => rm(join(tree, "a"))],
    ["a renamed file", () => rename(join(tree, "sub/b"), join(tree, "sub/c"))],
    ["a moved file", () => rename(join(tree, "sub/b"), join(tree, "b"))],
    ["an executable bit", () => chmod(join(tree, "a"), 0o755)],
    ["another link target", () => rm(join(tree, "link")).then(() => symlink("sub/b", join(tree, "link")))],
    ["a link made a file", () => rm(join(tree, "link")).then(() => writeFile(join(tree, "link"), "a"))],
  ])("sees %s", async (_, change) => {
    const before = await treeHash(tree);
    await change();
    expect(await treeHash(tree)).not.toBe(before);
  });

  it("leaves out what it is told to", async () => {
    const skip = (path: string): boolean => path === "sub";
    const before = await treeHash(tree, { skip });
    await writeFile(join(tree, "sub/b"), "other");
    expect(await treeHash(tree, { skip })).toBe(before);
  });

  it("does not follow a link that loops, and takes odd names", async () => {
    await symlink(".", join(tree, "loop"));
    await writeFile(join(tree, "new\nline é 😀"), "x");
    expect(await treeHash(tree)).toMatch(/^[0-9a-f]{64}$/);
  });

  it("takes one file", async () => {
    const before = await treeHash(join(tree, "a"));
    await writeFile(join(tree, "a"), "other");
    expect(await treeHash(join(tree, "a"))).not.toBe(before);
  });
});

describe("fileHash", () => {
  it("is the sha256 of the bytes", async () => {
    expect(await fileHash(join(tree, "sub/b"))).toBe(
      "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1",
    );
  });
});
