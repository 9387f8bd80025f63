import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTempFolder } from "../../engine/run-folder.ts";
import { parseSkill } from "../../load/skill.ts";
import { brokenRules, freeFile, skillFileText, skillNameFor } from "./new-skill.ts";

describe("where a first SKILL.md goes", () => {
  it.each(["greeter", "greeter/SKILL.md"])("is in the directory that %s names", async (named) => {
    await inTempFolder(async (cwd) => {
      expect(await freeFile(join(cwd, named), { cwd })).toBe(join(cwd, "greeter", "SKILL.md"));
    });
  });

  it("is never where one is already", async () => {
    await inTempFolder(async (cwd) => {
      await mkdir(join(cwd, "greeter"));
      await writeFile(join(cwd, "greeter", "SKILL.md"), "mine");
      await expect(freeFile(join(cwd, "greeter"), { cwd })).rejects.toMatchObject({
        code: "improve/exists",
        message: "greeter/SKILL.md already exists",
      });
    });
  });
});

describe("the name of a new skill", () => {
  it.each(["greeter", "csv-report-2", "a".repeat(64)])("is the directory's: %s", (name) => {
    expect(skillNameFor(`/skills/${name}/SKILL.md`)).toBe(name);
  });

  it.each(["Greeter", "csv_report", "-csv", "csv--report", "csv-", "ünder", "a".repeat(65)])(
    "cannot be %s",
    (name) => {
      expect(() => skillNameFor(`/skills/${name}/SKILL.md`)).toThrow(
        expect.objectContaining({ code: "improve/bad-name" }),
      );
    },
  );
});

describe("the text of a new skill", () => {
  it.each([
    "Greets people by name.",
    'Use when: somebody says "hello" # or similar',
    "First line\nsecond line",
    "--- not a delimiter",
  ])("reads back as it was drafted: %j", (description) => {
    const text = skillFileText("greeter", {
      description: ` ${description}\n`,
      body: "\n\n# Hello\n\nSay it.\n\n",
    });
    const { skill } = parseSkill("/skills/greeter/SKILL.md", text);
    expect(skill).toMatchObject({ name: "greeter", description });
    expect(text).toMatch(/\n---\n\n# Hello\n\nSay it\.\n$/);
  });

  it("is held to what a client would refuse", async () => {
    const fine = skillFileText("greeter", { description: "Greets people by name.", body: "Say hello." });
    expect(await brokenRules("/skills/greeter/SKILL.md", fine)).toEqual([]);
    const long = skillFileText("greeter", { description: "x".repeat(2000), body: "Say hello." });
    expect(await brokenRules("/skills/greeter/SKILL.md", long)).not.toEqual([]);
  });
});
