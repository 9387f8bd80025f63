import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
// oxlint-disable-next-line import/no-unassigned-import -- loaded here, so that no test waits for it
import "../../src/cli/commands/convert.ts";
import { FORMAT_NAMES } from "../../src/load/formats/index.ts";
import { assay } from "../support/command-line.ts";
import { claims, imported, SKILL } from "../support/imported.ts";
import { tempTree } from "../support/temp-tree.ts";

const SUITES: Readonly<
  Record<string, { target: string; files: Readonly<Record<string, string>>; lost: readonly string[] }>
> = {
  "claude-plugin": {
    target: "evals/first/prompt.md",
    files: {
      ".claude-plugin/plugin.json": '{"name": "demo"}',
      "skills/tidy/SKILL.md": SKILL("tidy"),
      "evals/first/prompt.md": "---\nmax_turns: 5\nruns: 3\n---\nTidy up.\n",
      "evals/first/graders/a.md": "---\ntype: regex\npattern: done\nweight: 2\n---\n",
      "evals/first/graders/b.md": "---\ntype: file_exists\npath: out.md\n---\n",
      "evals/first/graders/c.md": "---\ntype: llm\n---\nIt is tidy.\n",
    },
    lost: ['the key "max_turns"', 'the key "graders.a.weight"'],
  },
  "sentry-skillet": {
    target: "evals/cases/a.yaml",
    files: {
      "SKILL.md": SKILL("tidy"),
      "evals/cases/a.yaml":
        "behavior: tidy\nprompt: Tidy up.\nfixture: f\nchecks: [{shell: test -f out.md}, {file_exists: out.md}, {judge: It is tidy.}]\n",
      "evals/fixtures/f/x.txt": "x",
    },
    lost: ["the overlay directories"],
  },
  promptfoo: {
    target: "evals/promptfooconfig.yaml",
    files: {
      "SKILL.md": SKILL("tidy"),
      "evals/promptfooconfig.yaml":
        "prompts: [Tidy up.]\nproviders: [x]\ntests: [{assert: [{type: icontains, value: done}, {type: llm-rubric, value: It is tidy.}, {type: javascript, value: 'true'}]}]\n",
    },
    lost: ['the key "assert"'],
  },
  tessl: {
    target: "evals/s/criteria.json",
    files: {
      "tile.json": "{}",
      "skills/tidy/SKILL.md": SKILL("tidy"),
      "evals/s/task.md": "Tidy up.\n",
      "evals/s/criteria.json":
        '{"checklist": [{"name": "Tidy", "description": "It is tidy.", "max_score": 60}, {"name": "Sorted", "description": "It is sorted.", "max_score": 40}]}',
    },
    lost: ['the key "max_score"'],
  },
};

const OUTPUT: Readonly<Record<string, string>> = {
  bmad: "evals.json",
  clauditor: "tidy.eval.json",
  "skill-creator": "evals.json",
  skillet: "001.yaml",
};

const PAIRS = Object.keys(SUITES).flatMap((name) => FORMAT_NAMES.map((to) => [name, to] as const));

describe("converting an imported suite", () => {
  it.each(PAIRS)("%s to %s keeps every check, and lists what is lost by name", async (name, to) => {
    const { target, files, lost } = SUITES[name]!;
    await using tree = await tempTree(files);
    const output = `converted/${OUTPUT[to]}`;
    const args = ["convert", target, "--to", to, "--output", output];
    const refused = await assay(args, { cwd: tree.root });
    expect(refused.exitCode).toBe(2);
    for (const noun of lost) expect(refused.err).toContain(noun);
    expect(existsSync(tree.path("converted"))).toBe(false);
    const done = await assay([...args, "--lossy"], { cwd: tree.root });
    expect([done.exitCode, done.err]).toEqual([0, expect.stringContaining("lost")]);
    const before = await imported(files, target);
    const text = await readFile(tree.path(output), "utf8");
    const after = await imported({ "SKILL.md": SKILL("tidy"), [output]: text }, output);
    expect(after.errors).toEqual([]);
    const kept = (one: Awaited<typeof before>) =>
      claims(one.cases[0])
        .map((claim) => JSON.stringify(claim))
        .toSorted();
    expect(kept(after)).toEqual(kept(before));
  });

  it("takes a whole folder of cases into one file", async () => {
    const { files } = SUITES["sentry-skillet"]!;
    const second = "behavior: sort\nprompt: Sort it.\nchecks: [{judge: It is sorted.}]\n";
    await using tree = await tempTree({ ...files, "evals/cases/b.yaml": second });
    const { exitCode, out } = await assay(["convert", "evals/cases", "--to", "skill-creator", "--lossy"], {
      cwd: tree.root,
    });
    expect(exitCode).toBe(0);
    const written = JSON.parse(out) as { skill_name: string; evals: { prompt: string }[] };
    expect(written.skill_name).toBe("tidy");
    expect(written.evals.map(({ prompt }) => prompt)).toEqual(["Tidy up.", "Sort it."]);
  });

  it("writes nothing where one of the cases cannot be read", async () => {
    const { files } = SUITES["sentry-skillet"]!;
    await using tree = await tempTree({
      ...files,
      "evals/cases/b.yaml": "behavior: x\nprompt: y\nchecks: []\n",
    });
    const args = ["convert", "evals/cases", "--to", "skill-creator", "--lossy", "--output", "out.json"];
    const { exitCode, err } = await assay(args, { cwd: tree.root });
    expect(exitCode).toBe(2);
    expect(err).toContain("b.yaml:3:9 error: checks must not be empty");
    expect(existsSync(tree.path("out.json"))).toBe(false);
  });
});
