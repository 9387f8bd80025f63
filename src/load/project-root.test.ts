import { expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { projectRootFinder } from "./project-root.ts";

it("is the nearest directory with .git, file or directory, or with a .claude directory", async () => {
  await using tree = await tempTree({
    ".git/HEAD": "",
    "work/.git": "gitdir: elsewhere",
    "work/a/b/x": "",
    "claude/.claude/skills/tidy/SKILL.md": "",
    "plain/.claude": "a file",
    "plain/sub/x": "",
  });
  const find = projectRootFinder(null);
  const root = (path: string) => find(tree.path(path));
  expect(root("work/a/b")).toBe(tree.path("work"));
  expect(root("claude/.claude/skills/tidy")).toBe(tree.path("claude"));
  expect(root("plain/sub")).toBe(tree.root);
  expect(root(".")).toBe(tree.root);
});

it("is never the home directory, and may be none", async () => {
  await using tree = await tempTree({ "home/.claude/skills/tidy/SKILL.md": "", "home/.git/HEAD": "" });
  expect(projectRootFinder(tree.path("home"))(tree.path("home/.claude/skills/tidy"))).not.toBe(
    tree.path("home"),
  );
  expect(projectRootFinder(null)("/")).toBeNull();
});
