import { closeSync, mkdirSync, readdirSync, readFileSync, watch, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { openUnnamed, requireWritable } from "./unnamed-file.ts";

const isLinux = process.platform === "linux";

describe("openUnnamed", () => {
  it.skipIf(!isLinux)("gives a file that is written and read and that nobody sees", async () => {
    await using tree = await tempTree();
    const file = openUnnamed(tree.root);
    if (file === null) throw new Error("the file system of temporary files has no unnamed files");
    writeSync(file, "text", 0);
    expect(readFileSync(`/proc/self/fd/${file}`, "utf8")).toBe("text");
    expect(readdirSync(tree.root)).toEqual([]);
    closeSync(file);
  });

  it("says where there is none", async () => {
    await using tree = await tempTree();
    expect(openUnnamed(tree.path("nowhere"))).toBeNull();
  });
});

describe("requireWritable", () => {
  it.skipIf(!isLinux)("tries it without anything to be seen", async () => {
    await using tree = await tempTree();
    const seen: (string | null)[] = [];
    const watcher = watch(tree.root, (_, name) => void seen.push(name));
    const sign = new Promise<void>((resolve) => watcher.on("change", () => resolve()));
    requireWritable(tree.root);
    mkdirSync(join(tree.root, "sign"));
    await sign;
    watcher.close();
    expect(seen.filter((name) => name !== "sign")).toEqual([]);
  });

  it("throws what the system says", async () => {
    await using tree = await tempTree();
    expect(() => requireWritable(tree.path("nowhere"))).toThrow("ENOENT");
  });

  it.skipIf(!isLinux)("is not deceived by permissions", () => {
    expect(() => requireWritable("/proc")).toThrow(/ENOENT|EACCES|EPERM/);
  });
});
