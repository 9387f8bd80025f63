import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { writeBelow } from "./write-below.ts";

async function tree(files: Readonly<Record<string, string>>) {
  const made = await tempTree({ "outside/private.txt": "private", "root/.keep": "", ...files });
  onTestFinished(() => made[Symbol.asyncDispose]());
  return made;
}

it.each(["a.txt", "some/folders/a.txt", "./some/../a.txt"])("writes %s for its owner alone", async (path) => {
  const { path: at } = await tree({});
  const file = writeBelow(at("root"), path, "text");
  expect(readFileSync(file, "utf8")).toBe("text");
  expect(file.startsWith(`${at("root")}/`)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("replaces a file, and a link without following it", async () => {
  const { path } = await tree({ "root/old.txt": "much longer", "root/link.txt": "->../outside/private.txt" });
  for (const name of ["old.txt", "link.txt"]) {
    writeBelow(path("root"), name, "new");
    expect(readFileSync(path(`root/${name}`), "utf8")).toBe("new");
  }
  expect(readFileSync(path("outside/private.txt"), "utf8")).toBe("private");
});

it.each([
  ["a folder that is a link", "linked/a.txt", "is not a folder"],
  ["a new folder behind a link", "linked/new/a.txt", "is not a folder"],
  ["a file in place of a folder", ".keep/a.txt", "is not a folder"],
  ["a link that leads nowhere", "broken/a.txt", "is not a folder"],
  ["a path that leads out", "../outside/a.txt", "leads out of"],
  ["a folder in place of the file", "folder", "directory"],
])("refuses %s and writes nothing", async (_, path, why) => {
  const { path: at } = await tree({
    "root/linked": "->../outside",
    "root/broken": "->../nowhere",
    "root/folder/x": "",
  });
  expect(() => writeBelow(at("root"), path, "text")).toThrow(why);
  expect(readdirSync(at("outside"))).toEqual(["private.txt"]);
  expect(existsSync(at("nowhere"))).toBe(false);
});
