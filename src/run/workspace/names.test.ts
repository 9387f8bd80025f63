import { describe, expect, it } from "vitest";

import type { Skill } from "../../domain/skill.ts";
import { fixture, Ground } from "./fixtures/kit.ts";
import { filesLine } from "./fixtures.ts";
import { chooseMethod, supportsReflink } from "./method.ts";
import { skillPath, skillText } from "./placement.ts";
import { frontmatterName } from "./skill-copies.ts";
import { throughLinks } from "./through-links.ts";

describe("filesLine", () => {
  it("lists the files as the agent finds them, on one line", () => {
    const fixtures = [fixture("/x/a.csv", "a.csv"), fixture("/x/b", "data/b c.csv"), fixture("/x/n", "n\nl")];
    expect(filesLine(fixtures)).toBe(
      'Input files, relative to the working directory: a.csv, "data/b c.csv", "n\\nl"',
    );
    expect(filesLine([])).toBeNull();
  });
});

describe("chooseMethod", () => {
  it.each([
    [true, true, "overlay"],
    [true, false, "overlay"],
    [false, true, "reflink"],
    [false, false, "copy"],
  ] as const)("overlay %s, reflink %s: %s", (overlay, reflink, expected) => {
    expect(chooseMethod({ overlay, reflink })).toBe(expected);
  });

  it("finds out about reflinks and leaves nothing behind", async () => {
    await using here = new Ground();
    expect([true, false]).toContain(await supportsReflink(here.run));
    expect(await supportsReflink("/proc").catch(() => "refused")).toBe("refused");
  });
});

describe("skillPath and skillText", () => {
  const skill = (layout: Skill["layout"]): Skill => ({
    name: "foo",
    layout,
    file: "/s",
    root: "/s",
    description: "D: x",
    frontmatter: {},
    body: "",
  });

  it.each([
    ["directory", ".claude/skills", "foo", ".claude/skills/foo"],
    ["directory", ".agents/skills", "foo", ".agents/skills/foo"],
    ["command", ".claude/skills", "foo", ".claude/commands/foo.md"],
    ["command", ".agents/skills", "foo", ".agents/skills/foo"],
    ["directory", ".claude/skills", "../../evil", ".claude/skills/evil"],
    ["directory", ".claude/skills", "a b", ".claude/skills/a-b"],
    ["directory", ".claude/skills", "..", ".claude/skills/skill"],
  ] as const)("a %s in %s as %s: %s", (layout, skillsFolder, name, expected) => {
    expect(skillPath({ skill: skill(layout), name, skillsFolder })).toBe(expected);
  });

  it.each([
    ["---\nname: foo\ndescription: x\n---\nbody", '---\nname: "bar"\ndescription: x\n---\nbody'],
    ["---\r\ndescription: x\r\nname: foo\r\n---\r\nbody", '---\nname: "bar"\ndescription: x\r\n---\nbody'],
    ["---\nname: >\n  foo\nx: 1\n---\n", '---\nname: "bar"\nx: 1\n---\n'],
    ["---\n---\nbody", '---\nname: "bar"\n---\nbody'],
    ["body", '---\nname: "bar"\n---\nbody'],
  ])("renames %j", (text, expected) => {
    expect(skillText(text, { skill: skill("directory"), name: "bar", skillsFolder: ".claude/skills" })).toBe(
      expected,
    );
  });

  it("gives a command a head that others understand, once", () => {
    const placement = { skill: skill("command"), name: "foo", skillsFolder: ".agents/skills" };
    expect(skillText("Do it.", placement)).toBe('---\nname: "foo"\ndescription: "D: x"\n---\nDo it.');
    expect(skillText("---\ndescription: own\n---\nDo it.", placement)).toBe(
      '---\nname: "foo"\ndescription: own\n---\nDo it.',
    );
  });
});

describe("frontmatterName", () => {
  it.each([
    ["---\nname: foo\n---\n", "foo"],
    ["\uFEFF---\r\nname: 'foo'\r\n---\r\n", "foo"],
    ["---\nname: >-\n  foo\n---\n", "foo"],
    ["---\nname: foo # why\n---\n", "foo"],
    ["---\nname: foo\ndescription: a: b\n---\n", "foo"],
    ["---\ndescription: x\n---\n", null],
    ["name: foo\n", null],
    ["---\nname: [foo]\n---\n", null],
  ])("%j: %s", (text, expected) => {
    expect(frontmatterName(text)).toBe(expected);
  });
});

describe("throughLinks", () => {
  const links = new Map([
    [".claude/skills", "../skills"],
    ["a", "b"],
    ["b", "c/d"],
    ["x", "x"],
    ["out", "../elsewhere"],
    ["abs", "/etc"],
    ["root", "."],
    ["last", "skills"],
  ]);
  it.each([
    [".claude/skills/foo/SKILL.md", false, "skills/foo/SKILL.md"],
    ["a/f", false, "c/d/f"],
    ["x/f", false, "x/f"],
    ["out/f", false, "out/f"],
    ["abs/f", false, "abs/f"],
    ["root/root/a/f", false, "c/d/f"],
    ["last", false, "last"],
    ["last", true, "skills"],
    ["plain/f", false, "plain/f"],
  ])("%s (whole: %s): %s", (relative, whole, expected) => {
    expect(throughLinks(relative, (at) => links.get(at), whole)).toBe(expected);
  });
});
