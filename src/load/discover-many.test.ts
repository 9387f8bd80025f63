import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { found } from "./fixtures/found-subjects.ts";

describe("a directory of many", () => {
  it("has evals of their own where no skill has their name, and specs without a skill", async () => {
    await using tree = await tempTree({
      ".git/x": "",
      "skills/tidy/SKILL.md": "",
      "evals/tidy/evals.json": "",
      "evals/tidy/setup/.claude/skills/helper/SKILL.md": "",
      "evals/gone/evals.json": "",
      "specs/a.eval.json": "",
      "specs/SKILL.eval.json": "",
    });
    const { subjects } = await found(tree, ["."]);
    expect(subjects).toEqual([
      { skill: "skills/tidy/SKILL.md", around: "skills/tidy/SKILL.md", files: [] },
      { skill: null, name: "specs", files: ["specs/SKILL.eval.json (clauditor)"] },
      { skill: null, name: "a", files: ["specs/a.eval.json (clauditor)"] },
      { skill: null, name: "gone", files: ["evals/gone/evals.json (skill-creator)"] },
    ]);
  });

  it("takes a skill that is linked from elsewhere, and one reached twice once", async () => {
    await using tree = await tempTree({
      "p/.claude/skills/tidy": "->../../skills/tidy",
      "p/.claude/skills/mop": "->../../../shared/mop",
      "p/skills/tidy/SKILL.md": "",
      "shared/mop/SKILL.md": "",
    });
    const { subjects, reported } = await found(tree, ["p", "p/.claude/skills/tidy"]);
    expect(subjects.map(({ skill }) => skill)).toEqual([
      "p/.claude/skills/mop/SKILL.md",
      "p/skills/tidy/SKILL.md",
    ]);
    expect(reported).toEqual([]);
  });

  it("joins the files of targets about one skill", async () => {
    await using tree = await tempTree({
      "tidy/SKILL.md": "",
      "tidy/evals/evals.json": "",
      "tidy/evals/more.json": "",
    });
    const { subjects } = await found(tree, ["tidy/evals/evals.json", "tidy", "tidy/evals/more.json"]);
    expect(subjects).toMatchObject([
      {
        around: "tidy/SKILL.md",
        files: ["tidy/evals/evals.json (skill-creator)", "tidy/evals/more.json (skill-creator)"],
      },
    ]);
    expect(dirname(subjects[0]!.skill!)).toBe("tidy");
  });
});
