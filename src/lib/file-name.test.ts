import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileNameProblem, shortened } from "./file-name.ts";

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

  it("takes names of up to 120 bytes, whatever their letters", () => {
    const unit = fc.constantFrom("a", "é", "漢", "\u{1f642}");
    fc.assert(
      fc.property(fc.string({ unit, minLength: 20, maxLength: 130, size: "max" }), (name) => {
        const isShort = Buffer.byteLength(name) <= 120;
        expect(fileNameProblem(name)).toBe(isShort ? null : "is longer than 120 bytes");
      }),
    );
  });

  it("shortens a name to what leaves room, by whole characters", () => {
    const unit = fc.constantFrom("a", "-", "é", "漢", "\u{1f642}");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 130, size: "max" }), fc.nat(60), (name, spare) => {
        const short = shortened(name, spare);
        expect(name.startsWith(short)).toBe(true);
        expect(Buffer.byteLength(short)).toBeLessThanOrEqual(120 - spare);
        expect(short === name).toBe(Buffer.byteLength(name) <= 120 - spare);
        expect(short).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });

  describe("on this file system", () => {
    let root = "";
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), "file-name-"));
    });
    afterAll(() => rm(root, { recursive: true, force: true }));

    it("accepts only names that make exactly one directory", async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 120, size: "max" }), async (name) => {
          fc.pre(fileNameProblem(name) === null);
          await mkdir(join(root, name));
          const made = await readdir(root);
          await rm(join(root, name), { recursive: true });
          expect(made).toEqual([name]);
          expect(Buffer.byteLength(`eval-${name}-${"x".repeat(40)}_99`)).toBeLessThanOrEqual(255);
        }),
        { numRuns: 60 },
      );
    });
  });
});
