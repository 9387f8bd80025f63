import { readdir, utimes } from "node:fs/promises";
import { expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { removeLeftovers, removeLeftoversOf } from "./remove-leftovers.ts";

const name = (what: string, chance: string) => `.${what}.${chance.repeat(12)}.tmp`;

it("removes what was left unfinished a day ago, and nothing else", async () => {
  const [old, young] = [name("a.json", "0"), name("b.json", "1")];
  await using tree = await tempTree({ [old]: "", [young]: "", "a.json": "", ".mine.tmp": "" });
  const earlier = new Date(Date.now() - 25 * 3_600_000);
  for (const other of [old, "a.json", ".mine.tmp"]) await utimes(tree.path(other), earlier, earlier);
  await removeLeftovers(tree.root);
  expect((await readdir(tree.root)).toSorted()).toEqual([young, ".mine.tmp", "a.json"].toSorted());
});

it("minds no folder that is not there", async () => {
  await using tree = await tempTree();
  await expect(removeLeftovers(tree.path("none"))).resolves.toBeUndefined();
});

it("removes at once what was left of one file, and nothing of others", async () => {
  const others = [name("a.json.json", "1"), name("b.json", "2"), ".a.json.tmp", "a.json"];
  const mine = [name("a.json", "3"), `${name("a.json", "4")}/deep`];
  await using tree = await tempTree(Object.fromEntries([...others, ...mine].map((path) => [path, ""])));
  await removeLeftoversOf(tree.path("a.json"));
  expect((await readdir(tree.root)).toSorted()).toEqual(others.toSorted());
});
