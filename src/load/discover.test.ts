import { describe, expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { found } from "./fixtures/found-subjects.ts";

describe("a target", () => {
  const files = {
    ".git/HEAD": "",
    "skills/tidy/SKILL.md": "",
    "skills/tidy/evals/evals.json": "{}",
    "skills/tidy/evals/files/data.json": "{}",
    "skills/tidy/assets/tidy.eval.json": "{}",
    ".claude/commands/sweep.md": "",
    ".claude/commands/sweep.eval.json": "{}",
    "evals/group/mop/evals.json": "{}",
    "evals/group/mop/A1/setup/x": "",
    "src/deep/down/mop/SKILL.md": "",
    "yaml/b/002.yaml": "",
    "yaml/a/001.yml": "",
    "notes.txt": "",
  };
  const skill = (path: string) => [{ skill: path, around: path, files: [] }];
  const evals = (name: string, skill: string | null, ...files: string[]) => [{ name, skill, files }];

  it.each([
    ["a SKILL.md", "skills/tidy/SKILL.md", skill("skills/tidy/SKILL.md")],
    ["a skill directory", "skills/tidy", skill("skills/tidy/SKILL.md")],
    ["a command file", ".claude/commands/sweep.md", skill(".claude/commands/sweep.md")],
    [
      "an eval file in a skill",
      "skills/tidy/evals/evals.json",
      evals("evals", "skills/tidy/SKILL.md", "skills/tidy/evals/evals.json (skill-creator)"),
    ],
    [
      "a spec in assets",
      "skills/tidy/assets/tidy.eval.json",
      evals("tidy", "skills/tidy/SKILL.md", "skills/tidy/assets/tidy.eval.json (clauditor)"),
    ],
    [
      "a spec beside a command",
      ".claude/commands/sweep.eval.json",
      evals("sweep", ".claude/commands/sweep.md", ".claude/commands/sweep.eval.json (clauditor)"),
    ],
    [
      "an evals directory in a skill",
      "skills/tidy/evals",
      evals("tidy", "skills/tidy/SKILL.md", "skills/tidy/evals/evals.json (skill-creator)"),
    ],
    [
      "an evals directory named after a skill elsewhere",
      "evals/group/mop",
      evals("mop", "src/deep/down/mop/SKILL.md", "evals/group/mop/evals.json (bmad)"),
    ],
    [
      "an eval file named after a skill elsewhere",
      "evals/group/mop/evals.json",
      evals("evals", "src/deep/down/mop/SKILL.md", "evals/group/mop/evals.json (bmad)"),
    ],
    [
      "a directory of YAML, nested, with either ending",
      "yaml",
      evals("yaml", null, "yaml/a/001.yml (skillet)", "yaml/b/002.yaml (skillet)"),
    ],
    ["one YAML file", "yaml/a/001.yml", [{ skill: null, files: ["yaml/a/001.yml (skillet)"], around: null }]],
  ])("may be %s", async (_, target, subjects) => {
    await using tree = await tempTree(files);
    expect(await found(tree, [target])).toEqual({ subjects, reported: [] });
    expect(await found(tree, [tree.path(target)])).toEqual({ subjects, reported: [] });
  });

  it("may be a directory holding many skills", async () => {
    await using tree = await tempTree(files);
    const { subjects, reported } = await found(tree, ["."]);
    expect(subjects.map(({ skill }) => skill)).toEqual([
      ".claude/commands/sweep.md",
      "skills/tidy/SKILL.md",
      "src/deep/down/mop/SKILL.md",
    ]);
    expect(reported).toEqual([]);
  });

  it.each([
    ["nothing there", "skills/tidi", "load/no-such-target", 'did you mean "skills/tidy"?'],
    [
      "below a file",
      "notes.txt/x",
      "load/no-such-target",
      "pass a skill, an eval file, a directory with skills in it, or a Skillet name",
    ],
    [
      "another kind of file",
      "notes.txt",
      "load/unknown-target",
      "pass the skill, its directory, or an eval file",
    ],
    [
      "a directory without any",
      ".git",
      "load/nothing-found",
      "pass a SKILL.md, a directory with skills, or an eval file",
    ],
  ])("is reported when it is %s", async (_, target, code, hint) => {
    await using tree = await tempTree(files);
    expect(await found(tree, [target])).toEqual({ subjects: [], reported: [{ code, at: target, hint }] });
  });

  it("is reported when it is a link to itself", async () => {
    await using tree = await tempTree({ loop: "->loop" });
    expect(await found(tree, ["loop"])).toMatchObject({
      subjects: [],
      reported: [{ code: "file/symlink-loop" }],
    });
  });
});
