import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mounted } from "../../../test/support/mounted.ts";
import { tempTree } from "../../../test/support/temp-tree.ts";
import { Discards } from "./discard.ts";

it("frees a path at once and removes what was there in the background", async () => {
  await using tree = await tempTree();
  const discards = new Discards(tree.path("gone"));
  for (let round = 0; round < 300; round++) {
    mkdirSync(tree.path("trial"));
    writeFileSync(tree.path("trial/file"), "x");
    discards.add(tree.path("trial"));
  }
  await discards.settled();
  expect(readdirSync(tree.root)).toEqual(["gone"]);
  expect(readdirSync(join(tree.root, "gone")).length).toBeLessThan(256);
});

it("does not wait for many where they fill the disk", async ({ skip }) => {
  using disk = mounted("size=16m") ?? skip("a small file system cannot be mounted here");
  const discards = new Discards(join(disk.root, "gone"), 4 * 1024 * 1024);
  mkdirSync(join(disk.root, "trial"));
  writeFileSync(join(disk.root, "trial/large"), Buffer.alloc(8 * 1024 * 1024));
  discards.add(join(disk.root, "trial"));
  await discards.settled();
  expect(readdirSync(join(disk.root, "gone"))).toEqual([]);
});

it("removes what may not be listed, as overlays leave it", async () => {
  await using tree = await tempTree();
  const discards = new Discards(tree.path("gone"));
  for (let round = 0; round < 256; round++) {
    mkdirSync(tree.path("trial/work/closed/mark"), { recursive: true });
    chmodSync(tree.path("trial/work/closed"), 0);
    discards.add(tree.path("trial"));
  }
  await discards.settled();
  expect(readdirSync(tree.path("gone"))).toEqual([]);
});
