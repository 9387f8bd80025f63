import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { describeCorpus } from "../../test/support/corpus.ts";
import { tempTree, type TempTree } from "../../test/support/temp-tree.ts";
import { loadTargets } from "./load.ts";

const load = (cwd: string, targets: string[], skilletDir: string | null = null) =>
  loadTargets(targets, { cwd, evals: null, skill: null, skilletDir, home: null, lint: "spec" });

const text = (value: unknown) => JSON.stringify(value, null, 2);
const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n`;

describe("a project with every format", () => {
  const FILES = {
    ".git/HEAD": "",
    ".claude/commands/find.md": "Find things.\n",
    ".claude/commands/find.eval.json": text({
      test_args: "near me",
      assertions: [{ id: "a1", type: "contains", needle: "found" }],
      trigger_tests: { should_trigger: ["find it"], should_not_trigger: ["lose it"] },
    }),
    "skills/brief/SKILL.md": skill("brief"),
    "evals/group/brief/evals.json": text({
      skill_name: "brief",
      evals: [{ id: "A1", prompt: "Run headless. Write.", expectations: ["brief.md exists"] }],
    }),
    "evals/group/brief/triggers.json": text([{ query: "write a brief", should_trigger: true }]),
    "evals/group/brief/setup/.claude/skills/helper/SKILL.md": skill("helper"),
    "skills/tidy/SKILL.md": skill("tidy"),
    "skills/tidy/evals/evals.json": text({ skill_name: "tidy", evals: [{ id: 1, prompt: "Tidy." }] }),
    "skills/tidy/evals/trigger_eval.json": text([{ query: "tidy up", should_trigger: true }]),
    "skillet/evals/browsing/a/001.yaml": "timestamp: 2025-01-01\nname: b\nprompt: Go.\nexpected: Goes.\n",
  };

  it("loads from its root, each file in its format and each skill once", async () => {
    await using tree = await tempTree(FILES);
    const { suites, diagnostics } = await load(tree.root, [".", "browsing"], tree.path("skillet"));
    const summary = suites.map(({ name, skill, files, cases }) => [
      name,
      skill === null ? null : relative(tree.root, skill.file),
      files.map(({ format, dialect }) => `${format} ${dialect}`),
      cases.map(({ id, kind, checks }) => `${id}: ${kind}, ${checks.length}`),
    ]);
    expect(summary).toEqual([
      [
        "find",
        ".claude/commands/find.md",
        ["clauditor spec"],
        ["find: task, 1", "trigger-should-trigger-1: trigger, 1", "trigger-should-not-trigger-1: trigger, 1"],
      ],
      [
        "brief",
        "skills/brief/SKILL.md",
        ["bmad evals", "bmad triggers"],
        ["A1: task, 1", "trigger-q001: trigger, 1"],
      ],
      [
        "tidy",
        "skills/tidy/SKILL.md",
        ["skill-creator evals", "skill-creator triggers"],
        ["1: task, 0", "trigger-q001: trigger, 1"],
      ],
      ["browsing", null, ["skillet eval"], ["a--001: task, 1"]],
    ]);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("bad input", () => {
  const evals = (value: unknown) => ({
    "tidy/SKILL.md": skill("tidy"),
    "tidy/evals/evals.json": text(value),
  });
  const brief = (value: unknown) => ({
    ".git/HEAD": "",
    "tidy/SKILL.md": skill("tidy"),
    "evals/tidy/evals.json": text(value),
  });

  it.each([
    [
      "an id that leaves the result folder",
      brief({ evals: [{ id: "../../evil", prompt: "x", expectations: ["y"] }] }),
    ],
    ["a path that leaves the skill", evals({ evals: [{ id: 1, prompt: "x", files: ["../../etc/passwd"] }] })],
    [
      "an id twice",
      evals({
        evals: [
          { id: 1, prompt: "x" },
          { id: "1", prompt: "y" },
        ],
      }),
    ],
    ["a prompt of the wrong type", evals({ evals: [{ id: 1, prompt: 5 }] })],
    ["an alias bomb", { "tidy/SKILL.md": skill("tidy"), "tidy/evals/a.yaml": aliasBomb() }],
  ])("is an error with a place: %s", async (_, files) => {
    await using tree: TempTree = await tempTree(files);
    const before = listing(tree.root);
    const { diagnostics } = await load(tree.root, ["tidy"]);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors).not.toEqual([]);
    for (const { at, message } of errors) {
      expect(at!.file.startsWith(tree.root)).toBe(true);
      expect(message).not.toBe("");
    }
    expect(listing(tree.root)).toEqual(before);
  });
});

describeCorpus("real files", "corpus", (corpus) => {
  const folders = existsSync(corpus) ? readdirSync(corpus).filter((name) => !name.includes(".")) : [];

  /** The share of usable files; the others must each have an error with a place. */
  async function usableShare(folder: string): Promise<number> {
    const names = readdirSync(join(corpus, folder));
    const unexplained: string[] = [];
    let usable = 0;
    for (const name of names) {
      const { suites, diagnostics } = await load(corpus, [join(folder, name)]);
      const errors = diagnostics.filter(
        ({ severity, at }) => severity === "error" && at !== null && at.line > 0,
      );
      if (suites.length > 0) usable++;
      else if (errors.length === 0) unexplained.push(name);
    }
    expect(unexplained).toEqual([]);
    return usable / names.length;
  }

  const EVALS = ["skill-creator-evals", "skillet", "trigger-sets"];
  const RESULTS = ["benchmark", "comparison", "grading", "metrics", "timing"];

  it.each(folders.filter((name) => EVALS.includes(name)))("of %s load", async (folder) => {
    expect(await usableShare(folder)).toBeGreaterThanOrEqual(0.98);
  });

  it.each(folders.filter((name) => RESULTS.includes(name)))(
    "of %s are refused as results",
    async (folder) => {
      expect(await usableShare(folder)).toBe(0);
    },
  );

  it.each(folders.filter((name) => ![...EVALS, ...RESULTS].includes(name)))(
    "of %s load or are told why not",
    async (folder) => {
      expect(await usableShare(folder)).toBeLessThanOrEqual(1);
    },
  );
});

function aliasBomb(): string {
  const lines = Array.from({ length: 30 }, (_, level) => {
    const before = level === 0 ? '"x"' : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 9 }, () => before).join(", ")}]`;
  });
  return `${lines.join("\n")}\n`;
}

function listing(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
}
