import { chmod } from "node:fs/promises";
import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { tempTree, type TempTree } from "../../test/support/temp-tree.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { isInside, listDirectory, walk } from "./directory.ts";

async function visited(tree: TempTree, from = ".", maxDepth = 9) {
  const seen: string[] = [];
  const reported: Diagnostic[] = [];
  await walk(tree.path(from), {
    maxDepth,
    report: (diagnostic) => void reported.push(diagnostic),
    visit({ directory, files }) {
      seen.push(relative(tree.root, directory) || ".");
      return !files.includes("stop");
    },
  });
  return { seen, reported };
}

describe("walk", () => {
  it("goes top-down in order, stops where told, and skips what holds no sources", async () => {
    await using tree = await tempTree({
      "b/x": "",
      "a/stop": "",
      "a/below/x": "",
      "a2/x": "",
      "node_modules/x/y": "",
      ".git/x/y": "",
      ".assay/x/y": "",
      ".claude/x": "",
      "tidy-workspace/iteration-1/x": "",
      "plain-workspace/x": "",
    });
    const { seen, reported } = await visited(tree);
    expect(seen).toEqual([".", ".claude", "a", "a2", "b", "plain-workspace"]);
    expect(reported).toEqual([]);
  });

  it("keeps to its depth", async () => {
    await using tree = await tempTree({ "a/b/c/d": "" });
    expect((await visited(tree, ".", 1)).seen).toEqual([".", "a"]);
  });

  it("reports links that lead back, and comes to an end", async () => {
    await using tree = await tempTree({
      "a/b/x": "",
      "a/b/up": "->..",
      "a/b/root": "->../..",
      "a/self": "->self",
      "a/one": "->two",
      "a/two": "->one",
    });
    const { seen, reported } = await visited(tree);
    expect(seen).toEqual([".", "a", "a/b"]);
    expect(reported.map(({ code, at }) => [code, relative(tree.root, at!.file)])).toEqual([
      ["file/symlink-loop", "a/one"],
      ["file/symlink-loop", "a/self"],
      ["file/symlink-loop", "a/two"],
      ["file/symlink-loop", "a/b/root"],
      ["file/symlink-loop", "a/b/up"],
    ]);
  });

  it("does not see twice what a link inside points at, and follows links out for two levels", async () => {
    await using tree = await tempTree({
      "here/real/x": "",
      "here/link": "->real",
      "here/out": "->../there",
      "there/1/2/3/x": "",
      "there/back": "->../here",
    });
    const { seen, reported } = await visited(tree, "here");
    expect(seen).toEqual(["here", "here/out", "here/out/1", "here/out/1/2", "here/real"]);
    expect(reported).toEqual([]);
  });
});

describe("listDirectory", () => {
  it("tells files from directories, through links", async () => {
    await using tree = await tempTree({ "d/x": "", f: "", ld: "->d", lf: "->f", dangling: "->nowhere" });
    const listing = await listDirectory(tree.root, () => undefined);
    expect(listing).toMatchObject({ files: ["dangling", "f", "lf"], directories: ["d", "ld"] });
    expect([...listing.linked]).toEqual(["ld"]);
  });

  it("finds nothing where there is nothing", async () => {
    await using tree = await tempTree({ f: "" });
    const reported: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic) => void reported.push(diagnostic);
    expect((await listDirectory(tree.path("nowhere"), report)).files).toEqual([]);
    expect((await listDirectory(tree.path("f/x"), report)).files).toEqual([]);
    expect(reported).toEqual([]);
  });

  // Nothing is forbidden to root, so root becomes someone else for the length of the call.
  it("reports a directory without permission", async () => {
    await using tree = await tempTree({ "secret/x": "" });
    const asRoot = process.geteuid?.() === 0;
    await chmod(tree.path("secret"), 0o000);
    await chmod(tree.root, 0o755);
    const reported: Diagnostic[] = [];
    if (asRoot) process.seteuid?.(65_534);
    try {
      await listDirectory(tree.path("secret"), (diagnostic) => void reported.push(diagnostic));
    } finally {
      if (asRoot) process.seteuid?.(0);
      await chmod(tree.path("secret"), 0o700);
    }
    expect(reported).toEqual([
      {
        severity: "error",
        code: "file/unreadable",
        message: "the directory cannot be read: permission denied",
        at: { file: tree.path("secret"), line: 1, column: 1 },
        hint: "make it readable, or pass what you want to use instead",
      },
    ]);
  });
});

it.each([
  ["/a/b", "/a", true],
  ["/a", "/a", true],
  ["/a/..b", "/a", true],
  ["/ab", "/a", false],
  ["/", "/a", false],
])("%s inside %s: %s", (path, directory, inside) => {
  expect(isInside(path, directory)).toBe(inside);
});
