import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

import { type IgnoreRules, NO_RULES } from "./gitignore.ts";

const PATHS = [
  "a.log",
  "b.txt",
  "dir/a.log",
  "dir/keep.log",
  "dir/sub/b.txt",
  "build/out.js",
  "src/build/out.js",
  "src/build.js",
  "doc/frotz/x",
  "a/doc/frotz/x",
  "foo/bar/baz",
  "x/foo/bar/q",
  "#hash",
  "!bang",
  "trail ",
  "sp ace",
  ".env",
  "a1",
  "abc/x/y/z",
];

const RULES = [
  "*.log",
  "*.log\n!keep.log",
  "build/",
  "/build",
  "build",
  "doc/frotz/",
  "/doc/frotz",
  "**/foo/bar",
  "foo/**",
  "abc/**/z",
  "\\#hash\n\\!bang",
  "# comment\n\n   \n",
  "trail\\ ",
  "sp ace   ",
  ".*",
  "a[0-9]",
  "dir/*\n!dir/keep.log",
  "dir/\n!dir/keep.log",
  "*\n!*/\n!*.txt",
  "\uFEFF*.txt\r\n*.log\r\n",
  "*.LOG\nBuild/",
  "!a.log\n*.log",
  "trail  ",
  "foo/bar/",
  "dir/sub",
  "a.log/",
  "[a",
  "[z-a]*",
  "[[:alpha:]]1",
  "[!b].log",
  "?1",
  "\\",
  "!",
  "/",
];

/** Files below others; the last one that says something about a path decides. */
const NESTED: readonly Readonly<Record<string, string>>[] = [
  { ".gitignore": "*.log", "dir/.gitignore": "!keep.log" },
  { ".gitignore": "!a.log", "dir/.gitignore": "*.log\n!keep.log" },
  { "dir/.gitignore": "/sub\n/b.txt" },
  { "dir/.gitignore": "b.txt" },
  { "src/.gitignore": "build/" },
  { ".gitignore": "build", "src/.gitignore": "!build" },
  { ".gitignore": "build/\n", "src/.gitignore": "!build/\nout.js" },
  { ".gitignore": "dir/", "dir/.gitignore": "!keep.log" },
  { ".gitignore": "**/bar", "x/.gitignore": "!foo/bar", "x/foo/.gitignore": "bar/q" },
  { "a[b]/.gitignore": "c\n# b\n\\#b\n\\!b\nd\\ " },
  { "a[b]/.gitignore": "*\n!*/\n!d*" },
  { "abc/.gitignore": "**/z\n!x/**" },
];

const root = mkdtempSync(join(tmpdir(), "gitignore-"));
afterAll(() => rmSync(root, { recursive: true }));
const hasGit = canRun("git");

const NESTED_PATHS = [...PATHS, "a[b]/c", "a[b]/#b", "a[b]/!b", "a[b]/d ", "a[b]/e/c", "ab/c"];

describe("gitignore rules", () => {
  it("leave nothing out without a file", () => {
    expect(NO_RULES.ignores("a.log", false)).toBe(false);
  });

  it("take a rule back only within directories that are entered", () => {
    const rules = NO_RULES.with("", "*.log\n!keep.log\ngone/\n!gone/keep.log");
    expect(rules.ignores("a.log", false)).toBe(true);
    expect(rules.ignores("dir/keep.log", false)).toBe(false);
    expect(rules.ignores("gone", true)).toBe(true);
    expect(rules.ignores("gone", false)).toBe(false);
    expect(rules.ignores("gone/keep.log", false)).toBe(true);
  });

  it("count from the directory of their file, the deepest last", () => {
    const outer = NO_RULES.with("", "*.tmp");
    const rules = outer.with("sub", "/x\n!y.tmp");
    expect(rules.ignores("sub/x", false)).toBe(true);
    expect(rules.ignores("sub/deep/x", false)).toBe(false);
    expect(rules.ignores("sub/y.tmp", false)).toBe(false);
    expect(rules.ignores("sub/z.tmp", false)).toBe(true);
    expect(outer.ignores("sub/y.tmp", false)).toBe(true);
  });

  it.skipIf(!hasGit).each([...RULES.map((text) => ({ ".gitignore": text })), ...NESTED])(
    "agree with git on %j",
    (files) => {
      const directory = mkdtempSync(join(root, "case-"));
      const env = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
      execFileSync("git", ["init", "-q", "."], { cwd: directory, env });
      for (const [path, text] of [
        ...NESTED_PATHS.map((path) => [path, ""] as const),
        ...Object.entries(files),
      ]) {
        mkdirSync(dirname(join(directory, path)), { recursive: true });
        writeFileSync(join(directory, path), text);
      }
      const args = ["ls-files", "-z", "-co", "--exclude-standard"];
      const listed = execFileSync("git", args, { cwd: directory, env, encoding: "utf8" }).split("\0");
      const ours = NESTED_PATHS.filter((path) => !rulesFor(path, files).ignores(path, false));
      expect(ours.toSorted()).toEqual(listed.filter((path) => NESTED_PATHS.includes(path)).toSorted());
    },
  );
});

function rulesFor(path: string, files: Readonly<Record<string, string>>): IgnoreRules {
  const directories = path.split("/").map((_, at, parts) => parts.slice(0, at).join("/"));
  return directories.reduce(
    (rules, directory) => rules.with(directory, files[join(directory, ".gitignore")] ?? ""),
    NO_RULES,
  );
}

function canRun(program: string): boolean {
  try {
    execFileSync(program, ["--version"]);
    return true;
  } catch {
    return false;
  }
}
