import { lstatSync, readlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { claude, codex, Ground, inside, names, seen, skillMd } from "./fixtures/kit.ts";

describe("the skill's copy", () => {
  it("keeps inner links, follows those into the project, leaves out the others", async () => {
    await using here = new Ground();
    const skill = here.skill("foo", here.at("project/skills/foo"));
    here.write({
      "shared/ref.md": "shared",
      "shared/dir/x": "x",
      "shared/dir/out": { link: "../../.." },
      "skills/foo/inner.md": { link: "SKILL.md" },
      "skills/foo/ref.md": { link: "../../shared/ref.md" },
      "skills/foo/dir": { link: "../../shared/dir" },
      "skills/foo/self": { link: "../.." },
      "skills/foo/evil": { link: "/etc/passwd" },
    });
    const base = await here.base({ skills: [skill] });
    await using staged = await here.stage(base, { skill: claude(skill) });
    const at = (name: string) => path.join(staged.layer.directory, ".claude/skills/foo", name);
    expect(names(at("."))).toEqual(["SKILL.md", "dir", "inner.md", "ref.md"]);
    expect(readlinkSync(at("inner.md"))).toBe("SKILL.md");
    expect(lstatSync(at("ref.md")).isFile()).toBe(true);
    expect(names(at("dir"))).toEqual(["x"]);
    expect(staged.notes.filter((note) => note.startsWith("skill: the link"))).toHaveLength(2);
  });

  it("is whole though it lies among hidden evals", async () => {
    await using here = new Ground();
    const skill = here.skill("foo", here.at("evals/foo/skill"));
    here.write({ "evals/evals.json": "{}", "ref.md": "x" }, skill.root);
    const hidden = [here.at("evals/foo"), here.at("evals/foo/skill/evals")];
    const base = await here.base({ skills: [skill], hidden });
    await using staged = await here.stage(base, { skill: claude(skill) });
    expect(seen(staged)).toEqual([".claude/skills/foo/SKILL.md", ".claude/skills/foo/ref.md"]);
  });

  it("has a hash that depends on its content alone", async () => {
    await using here = new Ground();
    const skill = here.skill("foo");
    const base = await here.base({ skills: [skill] });
    const hash = async () => {
      await using staged = await here.stage(base, { skill: claude(skill) });
      return staged.skill?.hash;
    };
    const before = await hash();
    here.write({ "evals/evals.json": "{}" }, skill.root);
    expect(await hash()).toBe(before);
    here.write({ "SKILL.md": skillMd("foo", "Other.") }, skill.root);
    expect(await hash()).not.toBe(before);
  });

  it("bears the name a probe gives it", async () => {
    await using here = new Ground();
    const skill = here.skill("foo");
    const base = await here.base({ skills: [skill] });
    await using staged = await here.stage(base, { skill: claude(skill, "foo-k3x9") });
    expect(inside(staged, "cat .claude/skills/foo-k3x9/SKILL.md")).toBe(
      '---\nname: "foo-k3x9"\ndescription: Does it.\n---\nDo it.\n',
    );
  });

  it("is a command for Claude and a skill of its own for others", async () => {
    await using here = new Ground();
    const skill = here.command("foo");
    const base = await here.base({ skills: [skill] });
    await using one = await here.stage(base, { skill: claude(skill) });
    expect(seen(one)).toEqual([".claude/commands/foo.md"]);
    expect(inside(one, "cat .claude/commands/foo.md")).toBe("Do $ARGUMENTS.\n");
    await using other = await here.stage(base, { skill: codex(skill) });
    expect(inside(other, "cat .agents/skills/foo/SKILL.md")).toBe(
      '---\nname: "foo"\ndescription: "Does it."\n---\nDo $ARGUMENTS.\n',
    );
    expect(inside(other, "git status --porcelain")).toBe("");
  });
});
