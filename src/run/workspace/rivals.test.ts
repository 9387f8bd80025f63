import { describe, expect, it } from "vitest";
import type { Skill } from "../../domain/skill.ts";
import { Ground, inside, METHODS, seen, skillMd } from "./fixtures/kit.ts";
import type { SkillPlacement } from "./placement.ts";

const claude = (skill: Skill, parts: Partial<SkillPlacement> = {}): SkillPlacement => ({
  skill,
  name: skill.name,
  skillsFolder: ".claude/skills",
  ...parts,
});

describe.each(METHODS)("rivals staged by %s", (method) => {
  it("lie beside the skill under test, under their own names, without their evals", async () => {
    await using here = new Ground();
    const skill = here.skill("foo", here.at("project/skills/foo"));
    const rival = here.skill("bar", here.at("project/skills/bar"));
    here.write({ "skills/bar/evals/evals.json": "{}", "skills/bar/notes.md": "notes" });
    const base = await here.base({ skills: [skill, rival] });
    await using staged = await here.stage(base, {
      method,
      skill: claude(skill, { name: "foo-01234567" }),
      rivals: [claude(rival)],
    });
    expect(seen(staged).filter((path) => path.includes("skills"))).toEqual([
      ".claude/skills/bar/SKILL.md",
      ".claude/skills/bar/notes.md",
      ".claude/skills/foo-01234567/SKILL.md",
    ]);
    expect(inside(staged, "cat .claude/skills/bar/SKILL.md")).toBe(skillMd("bar"));
    expect(inside(staged, "git status --porcelain")).toBe("");
  });

  it("give way to the skill under test", async () => {
    await using here = new Ground();
    const skill = here.skill("foo", here.at("project/skills/foo"));
    const impostor = { ...here.skill("bar", here.at("project/skills/bar")), name: "foo" };
    const base = await here.base({ skills: [skill, impostor] });
    await using staged = await here.stage(base, { method, skill: claude(skill), rivals: [claude(impostor)] });
    expect(inside(staged, "cat .claude/skills/foo/SKILL.md")).toBe(skillMd("foo"));
  });
});

describe("a stub", () => {
  const HEAD = 'name: foo\ndescription: >-\n  Does foo:\n  "always".\nallowed-tools: Bash\n';

  async function stubbed(text: string, name: string): Promise<string> {
    await using here = new Ground();
    const skill = { ...here.skill("foo", here.at("project/skills/foo")), description: 'Does foo: "always".' };
    here.write({ "skills/foo/SKILL.md": text, "skills/foo/reference.md": "long" });
    const base = await here.base({ skills: [skill] });
    await using staged = await here.stage(base, {
      method: "copy",
      skill: claude(skill, { name, body: "stub" }),
    });
    expect(inside(staged, `ls .claude/skills/${name}`).trim()).toBe("SKILL.md");
    return inside(staged, `cat .claude/skills/${name}/SKILL.md`);
  }

  it("keeps the frontmatter as its author wrote it, under the name of the probe", async () => {
    const text = await stubbed(`---\n${HEAD}---\n\nLong instructions.\n`, "foo-01234567");
    expect(text).toBe(
      `---\nname: "foo-01234567"\n${HEAD.replace("name: foo\n", "")}---\n\nThis skill handles: Does foo: "always".\n`,
    );
  });

  it("keeps the name where that is its own", async () => {
    expect(await stubbed(`---\n${HEAD}---\n\nLong instructions.\n`, "foo")).toBe(
      `---\n${HEAD}---\n\nThis skill handles: Does foo: "always".\n`,
    );
  });

  it("is made of a skill without frontmatter too", async () => {
    expect(await stubbed("Long instructions.\n", "foo-01234567")).toBe(
      '---\nname: "foo-01234567"\n---\n\nThis skill handles: Does foo: "always".\n',
    );
  });
});
