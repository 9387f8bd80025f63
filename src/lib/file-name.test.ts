import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileNameProblem } from "./file-name.ts";

describe("fileNameProblem", () => {
  it.each(["A1", "0", "-1", "build-simple-utility", "größe 2", "日本語", "a.b", "v1.0-rc", "x".repeat(120)])(
    "accepts %j",
    (name) => expect(fileNameProblem(name)).toBeNull(),
  );

  it.each([
    ["", "empty"],
    ["../../evil", "separator"],
    ["a/b", "separator"],
    ["a\\b", "separator"],
    ["..", "dot"],
    [".", "dot"],
    [".hidden", "dot"],
    ["a\u0000b", "control"],
    ["a\nb", "control"],
    ["a\u007f", "control"],
    ["a\u202eb", "control"],
    ["a\u2028b", "control"],
    ["\ud800", "control"],
    ["a:b", "one of"],
    ["what?", "one of"],
    [" a", "space"],
    ["a ", "space"],
    ["a.", "dot"],
    ["CON", "device"],
    ["nul.txt", "device"],
    ["x".repeat(121), "longer"],
    ["ü".repeat(61), "longer"],
  ])("refuses %j", (name, reason) => expect(fileNameProblem(name)).toContain(reason));

  it("accepts names that merely begin like a device", () => {
    expect(["console", "auxiliary", "com"].map(fileNameProblem)).toEqual([null, null, null]);
  });

  describe("on this file system", () => {
    let root = "";
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), "file-name-"));
    });
    afterAll(() => rm(root, { recursive: true, force: true }));

    it("accepts only names that make exactly one directory", async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (name) => {
          fc.pre(fileNameProblem(name) === null);
          await mkdir(join(root, name));
          const made = await readdir(root);
          await rm(join(root, name), { recursive: true });
          expect(made).toEqual([name]);
        }),
        { numRuns: 60 },
      );
    });
  });
});
