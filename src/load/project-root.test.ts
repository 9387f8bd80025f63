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

it("is a project of BMad, and without any mark the nearest package that is not the skill itself", async () => {
  await using tree = await tempTree({
    "bmad/_bmad/core/config.yaml": "",
    "bmad/sub/package.json": "{}",
    "plain/_bmad": "a file",
    "plain/package.json": "{}",
    "plain/skills/pdf/SKILL.md": "",
    "plain/skills/pdf/package.json": "{}",
    "py/pyproject.toml": "",
    "py/skills/x/SKILL.md": "",
    "rust/Cargo.toml": "",
    "rust/deep/go/go.mod": "",
  });
  const find = projectRootFinder(null);
  const root = (path: string) => find(tree.path(path));
  expect(root("bmad/sub")).toBe(tree.path("bmad"));
  expect(root("plain/skills/pdf")).toBe(tree.path("plain"));
  expect(root("py/skills/x")).toBe(tree.path("py"));
  expect(root("rust/deep")).toBe(tree.path("rust"));
  expect(root("rust/deep/go")).toBe(tree.path("rust/deep/go"));
});

it("is never what holds the home directory, nor the whole machine", async () => {
  await using tree = await tempTree({
    ".git/HEAD": "",
    "home/ada/package.json": "{}",
    "home/ada/skills/x/SKILL.md": "",
    link: "->home/ada",
  });
  const start = tree.path("home/ada/skills/x");
  expect(findProjectRoot(start, tree.path("home/ada"))).toBeNull();
  expect(findProjectRoot(start, tree.path("link"))).toBeNull();
});

it("is never the home directory, and may be none", async () => {
  await using tree = await tempTree({ "home/.claude/skills/tidy/SKILL.md": "", "home/.git/HEAD": "" });
  expect(findProjectRoot(tree.path("home/.claude/skills/tidy"), tree.path("home"))).not.toBe(
    tree.path("home"),
  );
  expect(findProjectRoot("/", null)).toBeNull();
});
