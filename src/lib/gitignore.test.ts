import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

import { isIgnored, parseGitignore } from "./gitignore.ts";

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
];

const root = mkdtempSync(join(tmpdir(), "gitignore-"));
afterAll(() => rmSync(root, { recursive: true }));
const hasGit = canRun("git");

describe("gitignore rules", () => {
  it("takes a rule back only within directories that are entered", () => {
    const files = [{ directory: "", rules: parseGitignore("*.log\n!keep.log") }];
    expect(isIgnored(files, "a.log", false)).toBe(true);
    expect(isIgnored(files, "dir/keep.log", false)).toBe(false);
  });

  it("reads deeper files relative to their own directory", () => {
    const files = [
      { directory: "", rules: parseGitignore("*.tmp") },
      { directory: "sub", rules: parseGitignore("/x\n!y.tmp") },
    ];
    expect(isIgnored(files, "sub/x", false)).toBe(true);
    expect(isIgnored(files, "sub/deep/x", false)).toBe(false);
    expect(isIgnored(files, "sub/y.tmp", false)).toBe(false);
    expect(isIgnored(files, "sub/z.tmp", false)).toBe(true);
  });

  it.skipIf(!hasGit).each(RULES)("agrees with git on %j", (text) => {
    const directory = mkdtempSync(join(root, "case-"));
    const env = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
    execFileSync("git", ["init", "-q", "."], { cwd: directory, env });
    for (const path of PATHS) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), "");
    }
    writeFileSync(join(directory, ".gitignore"), text);
    const args = ["ls-files", "-z", "-co", "--exclude-standard"];
    const listed = execFileSync("git", args, { cwd: directory, env, encoding: "utf8" }).split("\0");
    const files = [{ directory: "", rules: parseGitignore(text) }];
    const ours = PATHS.filter((path) => !ignoredOnTheWay(files, path));
    expect(ours.sort()).toEqual(listed.filter((path) => PATHS.includes(path)).sort());
  });
});

function ignoredOnTheWay(files: Parameters<typeof isIgnored>[0], path: string): boolean {
  const parts = path.split("/");
  return parts.some((_, at) => isIgnored(files, parts.slice(0, at + 1).join("/"), at < parts.length - 1));
}

function canRun(program: string): boolean {
  try {
    execFileSync(program, ["--version"]);
    return true;
  } catch {
    return false;
  }
}
