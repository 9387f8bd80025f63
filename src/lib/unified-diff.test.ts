import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "diff-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  execFileSync("git", ["init", "-q"], { cwd: path });
  return path;
}

/** What git makes of `before` by the patch. */
async function applied(cwd: string, path: string, before: string | null, patch: string): Promise<string> {
  await mkdir(dirname(join(cwd, path)), { recursive: true });
  await rm(join(cwd, path), { force: true });
  if (before !== null) await writeFile(join(cwd, path), before);
  execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd, input: patch });
  return readFile(join(cwd, path), "utf8");
}

describe("a unified diff", () => {
  it("is empty where nothing changes", () => {
    expect(unifiedDiff({ path: "a", before: "x\n", after: "x\n" })).toBe("");
  });

  it("shows three lines around a change and joins what is near", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    expect(unifiedDiff({ path: "a/b.md", before, after: before.replace("5", "five") })).toBe(
      "--- a/a/b.md\n+++ b/a/b.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  it.each([
    ["no line end before", "a\nb", "a\nb\n"],
    ["no line end after", "a\nb\n", "a\nc"],
    ["CRLF", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"],
    ["everything removed but one", "a\nb\nc\n", "b\n"],
    ["a new file", null, "one\ntwo\n"],
    ["a new file without a line end", null, "one"],
    ["into an empty file", "", "one\n"],
  ])("is what git apply accepts: %s", async (_, before, after) => {
    const cwd = await folder();
    const patch = unifiedDiff({ path: "x/SKILL.md", before, after });
    expect(await applied(cwd, "x/SKILL.md", before, patch)).toBe(after);
  });

  it("is one that git apply accepts, with few lines, where a few of very many lines change", async () => {
    const cwd = await folder();
    const lines = Array.from({ length: 30_000 }, (_, at) => `line ${at}\n`);
    const before = lines.join("");
    const after = lines.flatMap((line, at) => (at % 1000 === 7 ? [`changed ${at}\n`] : [line])).join("");
    const patch = unifiedDiff({ path: "x.csv", before, after });
    expect(patch.match(/^[-+](?!--|\+\+)/gm)).toHaveLength(60);
    expect(await applied(cwd, "x.csv", before, patch)).toBe(after);
  });

  it("is one that git apply accepts where almost every one of very many lines changes", async () => {
    const cwd = await folder();
    const lines = (word: string) =>
      Array.from({ length: 9000 }, (_, at) => (at % 20 === 0 ? `stays ${at}\n` : `${word} ${at}\n`));
    const [before, after] = [lines("was").slice(5).join(""), lines("is").join("")];
    const patch = unifiedDiff({ path: "x.csv", before, after });
    expect(patch).toContain("\n stays 40\n");
    expect(await applied(cwd, "x.csv", before, patch)).toBe(after);
  });

  it.each(["with space/SKILL.md", 'quote"d.md', "back\\slash.md", "tab\t.md", "ünï.md"])(
    "names %j as git does",
    async (path) => {
      const cwd = await folder();
      expect(await applied(cwd, path, "a\n", unifiedDiff({ path, before: "a\n", after: "b\n" }))).toBe("b\n");
    },
  );

  it("applies from a folder below the top of the repository", async () => {
    const cwd = await folder();
    await mkdir(join(cwd, "below"));
    const patch = unifiedDiff({ path: "SKILL.md", before: "a\n", after: "b\n" });
    expect(await applied(join(cwd, "below"), "SKILL.md", "a\n", patch)).toBe("b\n");
  });

  it("holds for any two texts", async () => {
    const cwd = await folder();
    const text = fc
      .array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "d"), { maxLength: 30, size: "max" })
      .map((lines) => lines.join(""));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after && after !== "");
        const patch = unifiedDiff({ path: "f", before, after });
        expect(await applied(cwd, "f", before, patch)).toBe(after);
      }),
      { numRuns: 60 },
    );
  });

  it("shows texts that have nothing in common as replaced, however long they are", () => {
    const many = (word: string) => Array.from({ length: 3000 }, (_, i) => `${word} ${i}\n`).join("");
    const patch = unifiedDiff({ path: "f", before: many("a"), after: many("b") });
    expect(patch).toContain("@@ -1,3000 +1,3000 @@");
  });
});
