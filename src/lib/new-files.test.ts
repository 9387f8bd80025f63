import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeNewFiles } from "./new-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "new-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("writes every file whole, in place of what a broken attempt left", async () => {
  writeFileSync(join(folder, "a"), "something longer that was there");
  await writeNewFiles(
    folder,
    new Map([
      ["a", "héllo\n"],
      ["b", ""],
      ["c", "x".repeat(3_000_000)],
    ]),
  );
  expect(readdirSync(folder).sort()).toEqual(["a", "b", "c"]);
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("héllo\n");
  expect(readFileSync(join(folder, "b"), "utf8")).toBe("");
  expect(readFileSync(join(folder, "c"), "utf8")).toHaveLength(3_000_000);
});

it("rejects with the system's reason where it cannot write", async () => {
  await expect(writeNewFiles(join(folder, "none"), new Map([["a", "x"]]))).rejects.toThrow("ENOENT");
});
