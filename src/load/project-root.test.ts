import { expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { findProjectRoot, projectRootFinder } from "./project-root.ts";

it("is the nearest directory with .git, a .claude directory or a configuration file", async () => {
  await using tree = await tempTree({
    ".git/HEAD": "",
    "work/.git": "gitdir: elsewhere",
    "work/a/b/x": "",
    "claude/.claude/skills/tidy/SKILL.md": "",
    "configured/assay.config.yaml": "",
    "configured/sub/x": "",
    "plain/.claude": "a file",
    "plain/sub/x": "",
  });
  const find = projectRootFinder(null);
  const root = (path: string) => find(tree.path(path));
  expect(root("work/a/b")).toBe(tree.path("work"));
  expect(root("claude/.claude/skills/tidy")).toBe(tree.path("claude"));
  expect(root("plain/sub")).toBe(tree.root);
  expect(root("configured/sub")).toBe(tree.path("configured"));
  expect(root(".")).toBe(tree.root);
});

it("is never the home directory, and may be none", async () => {
  await using tree = await tempTree({ "home/.claude/skills/tidy/SKILL.md": "", "home/.git/HEAD": "" });
  expect(findProjectRoot(tree.path("home/.claude/skills/tidy"), tree.path("home"))).not.toBe(
    tree.path("home"),
  );
  expect(findProjectRoot("/", null)).toBeNull();
});
