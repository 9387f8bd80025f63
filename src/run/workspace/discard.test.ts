import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempTree } from "../../../test/support/temp-tree.ts";
import { Discards } from "./discard.ts";

it("frees a path at once and removes what was there in the background", async () => {
  await using tree = await tempTree();
  const discards = new Discards(tree.path("gone"));
  for (let round = 0; round < 40; round++) {
    mkdirSync(tree.path("trial"));
    writeFileSync(tree.path("trial/file"), "x");
    discards.add(tree.path("trial"));
  }
  await discards.settled();
  expect(readdirSync(tree.root)).toEqual(["gone"]);
  expect(readdirSync(join(tree.root, "gone")).length).toBeLessThan(16);
});
