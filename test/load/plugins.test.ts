import { describe, expect, it } from "vitest";
import { imported, SKILL } from "../support/imported.ts";

const MANIFEST = '{"name": "demo"}';
const LLM = "---\ntype: llm\n---\nPASS if it is done.\n";
const fired = (skill: string) =>
  `---\ntype: tool_used\ntool: Skill\ninput_match: '"skill"\\s*:\\s*"(?:[\\w-]+:)?${skill}"'\n---\n`;

const simple = (folder: string, grader = LLM, prompt = "Do it.\n") => ({
  [`${folder}/prompt.md`]: prompt,
  [`${folder}/graders/criteria.md`]: grader,
});

const ONE = {
  ".claude-plugin/plugin.json": MANIFEST,
  "skills/tidy/SKILL.md": SKILL("tidy"),
  ...simple("evals/first"),
  ...simple("evals/group/second"),
  "evals/results/2026/aggregate-result.json": "{}",
};

describe("a plugin with one skill", () => {
  it.each([".", "evals", "skills/tidy", "skills/tidy/SKILL.md"])(
    "gives all its cases to it, from %s",
    async (target) => {
      const { suites, told } = await imported(ONE, target);
      expect(suites).toEqual(["tidy: first, group--second"]);
      expect(told).toEqual([]);
    },
  );

  it.each([
    ["evals/first", "tidy: first"],
    ["evals/first/prompt.md", "tidy: first"],
    ["evals/group/second/prompt.md", "tidy: group--second"],
    ["evals/group", "tidy: group--second"],
  ])("gives a part of its cases to it, from %s", async (target, expected) => {
    const { suites, told } = await imported(ONE, target);
    expect(suites).toEqual([expected]);
    expect(told).toEqual([]);
  });

  it("may name another folder for its evals", async () => {
    const { suites } = await imported({
      "plugin.json": '{"name": "demo", "experimental": {"evals": "quality/evals"}}',
      "skills/tidy/SKILL.md": SKILL("tidy"),
      ...simple("quality/evals/first"),
    });
    expect(suites).toEqual(["tidy: first"]);
  });

  it("that names a folder outside is told so, and read from evals", async () => {
    const { suites, notes } = await imported({
      ...ONE,
      ".claude-plugin/plugin.json": '{"name": "demo", "experimental": {"evals": "../elsewhere"}}',
    });
    expect(suites).toEqual(["tidy: first, group--second"]);
    expect(notes).toEqual([
      expect.stringContaining("file/bad-manifest: experimental.evals is no folder of the plugin"),
    ]);
  });

  it("may have skill-creator's evals beside them", async () => {
    const { files } = await imported({
      ...ONE,
      "skills/tidy/evals/evals.json":
        '{"skill_name": "tidy", "evals": [{"id": 1, "prompt": "x", "expectations": ["y"]}]}',
    });
    expect(files.map(({ format }) => format)).toEqual(["skill-creator", "claude-plugin", "claude-plugin"]);
  });
});

describe("a plugin with several skills", () => {
  const SEVERAL = {
    ".claude-plugin/plugin.json": MANIFEST,
    "skills/tidy/SKILL.md": SKILL("tidy"),
    "skills/sort/SKILL.md": SKILL("sort"),
    ...simple("evals/by-grader", fired("tidy")),
    ...simple("evals/sort/by-folder"),
    ...simple("evals/by-prompt", LLM, "/demo:sort these files\n"),
    ...simple("evals/of-neither"),
  };

  it("gives each case to the skill that its folder, its graders or its prompt name", async () => {
    const { suites, notes } = await imported(SEVERAL);
    expect(suites).toEqual(["sort: by-folder, by-prompt", "tidy: by-grader", "-: of-neither"]);
    expect(notes).toEqual([expect.stringContaining("load/no-skill")]);
  });

  it("gives them alike from the evals folder, and all to a skill that is named", async () => {
    expect((await imported(SEVERAL, "evals")).suites.toSorted()).toEqual([
      "-: of-neither",
      "sort: by-prompt, sort--by-folder",
      "tidy: by-grader",
    ]);
    const { suites } = await imported(SEVERAL, "evals", { skill: "skills/tidy/SKILL.md" });
    expect(suites).toEqual(["tidy: by-grader, by-prompt, sort--by-folder, of-neither"]);
  });
});

it("every plugin of a marketplace keeps its own cases", async () => {
  const plugin = (name: string) => ({
    [`plugins/${name}/.claude-plugin/plugin.json`]: MANIFEST,
    [`plugins/${name}/skills/${name}/SKILL.md`]: SKILL(name),
    ...simple(`plugins/${name}/evals/first`),
  });
  const { suites, told } = await imported({ ...plugin("one"), ...plugin("two") });
  expect(suites).toEqual(["one: first", "two: first"]);
  expect(told).toEqual([]);
});

it("a skill without a plugin may have such cases, too", async () => {
  const { suites, told } = await imported({ "SKILL.md": SKILL("tidy"), ...simple("evals/first") });
  expect(suites).toEqual(["tidy: first"]);
  expect(told).toEqual([]);
});

it("a prompt.md that is no case is left alone", async () => {
  const { suites, errors } = await imported({
    "SKILL.md": SKILL("tidy"),
    "evals/evals.json": '{"skill_name": "tidy", "evals": [{"id": 1, "prompt": "x", "expectations": ["y"]}]}',
    "evals/notes/prompt.md": "Just a note.\n",
  });
  expect(suites).toEqual(["tidy: 1"]);
  expect(errors).toEqual([]);
});
