import { describe, expect, it } from "vitest";
import { claims, imported, SKILL } from "../support/imported.ts";

const PLUGIN = { ".claude-plugin/plugin.json": '{"name": "demo"}', "skills/tidy/SKILL.md": SKILL("tidy") };
const LLM = "---\ntype: llm\n---\nPASS if it is tidy.\n";

const prompt = (frontmatter: string, body = "Tidy this up.") => `---\n${frontmatter}\n---\n\n${body}\n`;
const grader = (frontmatter: string, body = "") => `---\n${frontmatter}\n---\n${body}\n`;

/** The one case of a plugin with these graders. */
const graded = (graders: Readonly<Record<string, string>>) =>
  imported({
    ...PLUGIN,
    "evals/a/prompt.md": "Tidy this up.\n",
    ...Object.fromEntries(
      Object.entries(graders).map(([name, text]) => [`evals/a/graders/${name}.md`, text]),
    ),
  });

describe("a case of claude plugin eval", () => {
  it("maps the fields of prompt.md that a run can do, and tells the others", async () => {
    const { cases, files, notes, errors, suites } = await imported({
      ...PLUGIN,
      "evals/first/prompt.md": prompt(
        [
          'schema_version: "1.1"',
          "name: First case",
          "description: For people",
          "tags: [smoke]",
          'plugins: ["../.."]',
          "runs: 4",
          "expected_outcome: It is tidy",
          "model: opus",
          "max_turns: 12",
          "timeout_seconds: 90",
          "allowed_tools: [Read, Skill]",
          "append_system_prompt: Be brief",
          "env: {EVAL_MODE: fast}",
        ].join("\n"),
      ),
      "evals/first/graders/criteria.md": LLM,
    });
    expect(errors).toEqual([]);
    expect(suites).toEqual(["tidy: first"]);
    expect(files[0]).toMatchObject({ format: "claude-plugin", dialect: "prompt", description: "For people" });
    expect(cases[0]).toMatchObject({
      id: "first",
      declaredId: "First case",
      name: "First case",
      prompt: { kind: "turns", turns: ["Tidy this up."] },
      expectedOutput: "It is tidy",
      settings: { timeoutSeconds: 90, variance: { runs: 4 } },
      checks: [{ id: "criteria", kind: "criterion", text: "PASS if it is tidy." }],
      extras: {
        tags: ["smoke"],
        plugins: ["../.."],
        model: "opus",
        max_turns: 12,
        allowed_tools: ["Read", "Skill"],
        append_system_prompt: "Be brief",
        env: { EVAL_MODE: "fast" },
      },
    });
    const told = ["tags", "plugins", "model", "max_turns", "allowed_tools", "append_system_prompt", "env"];
    expect(notes).toHaveLength(told.length);
    for (const field of told)
      expect(notes.join("\n")).toContain(`note claude-plugin/not-carried-over: ${field} is not`);
  });

  it("can be a case.yaml alone, with everything in it", async () => {
    const { cases, errors, notes } = await imported({
      ...PLUGIN,
      "evals/whole/case.yaml": [
        'schema_version: "1.1"',
        "name: whole",
        "runs: 2",
        "execution: {prompt: Do it, model: haiku, max_turns: 3, timeout_seconds: 20, allowed_tools: [Read], append_system_prompt: x, env: {EVAL_A: b}}",
        "context: {scaffold_script: make.sh, history_file: before.jsonl, add_dirs: [resources]}",
        "graders:",
        "  - {name: said, type: regex, pattern: done}",
        "  - {type: llm, criteria: It is done}",
      ].join("\n"),
      "evals/whole/make.sh": "touch made.txt\n",
      "evals/whole/resources/a.txt": "a\n",
      "evals/whole/before.jsonl": "{}\n",
    });
    expect(errors).toEqual([]);
    expect(cases[0]).toMatchObject({
      id: "whole",
      setup: "touch made.txt\n",
      files: [{ declared: "resources", target: "resources", problem: null }],
      settings: { timeoutSeconds: 20, variance: { runs: 2 } },
      extras: { history_file: "before.jsonl", max_turns: 3 },
    });
    expect(cases[0]?.checks.map(({ id }) => id)).toEqual(["said", "grader-2"]);
    for (const field of ["execution.model", "execution.max_turns", "execution.env", "context.history_file"])
      expect(notes.join("\n")).toContain(`${field} is not`);
  });

  it("of both files goes by prompt.md, and adds its graders after those of case.yaml", async () => {
    const { cases } = await imported({
      ...PLUGIN,
      "evals/both/prompt.md": prompt("runs: 5"),
      "evals/both/case.yaml":
        'schema_version: "1.1"\nname: both\nruns: 2\nexecution: {prompt: Ignored}\ngraders: [{name: one, type: llm, criteria: One}]\n',
      "evals/both/graders/two.md": LLM,
    });
    expect(cases).toHaveLength(1);
    expect(cases[0]).toMatchObject({
      prompt: { turns: ["Tidy this up."] },
      settings: { variance: { runs: 5 } },
    });
    expect(cases[0]?.checks.map(({ id }) => id)).toEqual(["one", "two"]);
  });

  it("may hold its scaffold script itself; one that looks beside itself is told", async () => {
    const scaffolded = (script: string) =>
      imported({
        ...PLUGIN,
        "evals/a/case.yaml": `schema_version: "1.1"\nname: a\ncontext: {scaffold_script: ${JSON.stringify(script)}}\n`,
        "evals/a/prompt.md": "Go",
        "evals/a/graders/g.md": LLM,
        "evals/a/s.sh": 'cp "$(dirname "$0")/x" .\n',
      });
    expect((await scaffolded("git init\ntouch a")).cases[0]?.setup).toBe("git init\ntouch a");
    expect((await scaffolded("s.sh")).notes.join()).toContain("s.sh looks for files beside itself");
  });
});

describe("graders", () => {
  it("become checks of the same meaning", async () => {
    const { cases, errors } = await graded({
      a: grader("type: regex\npattern: 'done$'\nflags: i"),
      b: grader("type: regex\npattern: TODO\nmatch: not_contains"),
      c: grader('type: regex\npattern: "- "\nmatch: "count:2"'),
      d: grader("type: regex\npattern: x\ntarget: {source: file, path: out.md}"),
      e: grader("type: regex", "^## v2"),
      f: grader("type: tool_used\ntool: Bash\ninput_match: 'git (log|diff)'\nmin: 2"),
      g: grader("type: tool_used\ntool: Write\nmin: 0\nmax: 0"),
      h: grader("type: tool_order\nbefore: Read\nafter: {tool: Write}"),
      i: grader("type: file_exists\npath: out/*.md"),
      j: grader("type: file_exists\npath: tmp.txt\nexists: false"),
      k: LLM,
      l: grader("type: baseline\nbaseline_file: ref.jsonl\ncriteria: At least as short"),
    });
    expect(errors).toEqual([]);
    expect(claims(cases[0])).toEqual([
      { kind: "regex", pattern: "(?i)done\\Z" },
      { kind: "regex", pattern: "\\A(?![\\s\\S]*(?:TODO))" },
      { kind: "regex", pattern: "\\A(?=(?:[\\s\\S]*?(?:- )){2})(?!(?:[\\s\\S]*?(?:- )){3})" },
      { kind: "file_matches", path: "out.md", pattern: "x" },
      { kind: "regex", pattern: "^## v2" },
      { kind: "tool_called", tool: "Bash", arguments: "git (log|diff)", count: 2 },
      { kind: "tool_not_called", tool: "Write", arguments: null },
      { kind: "tool_order", tools: ["Read", "Write"] },
      { kind: "file_exists", path: "out/*.md" },
      { kind: "file_absent", path: "tmp.txt" },
      { kind: "criterion", text: "PASS if it is tidy." },
      { kind: "criterion", text: "At least as short" },
    ]);
    expect(cases[0]?.checks.map(({ id }) => id).join("")).toBe("abcdefghijkl");
  });

  it("that ask for a skill are held against runs with it only, unless they say otherwise", async () => {
    const fired =
      String.raw`tool: Skill` + "\n" + String.raw`input_match: '"skill"\s*:\s*"(?:[\w-]+:)?tidy"'`;
    const { cases } = await graded({
      a: grader(`type: tool_used\n${fired}`),
      b: grader(`type: tool_used\n${fired}\nmin: 0\nmax: 0\narm: both`),
      c: grader("type: tool_used\ntool: Skill"),
      d: grader("type: regex\npattern: x\narm: with-only"),
    });
    expect(cases[0]?.checks.map(({ kind, appliesTo }) => `${kind} ${appliesTo}`)).toEqual([
      "skill_loaded with-skill",
      "tool_not_called every-variant",
      "skill_loaded with-skill",
      "regex with-skill",
    ]);
    expect(cases[0]?.checks[0]).toMatchObject({ skill: "tidy" });
  });

  it("are told field by field where they have no counterpart, and kept", async () => {
    const { cases, notes } = await graded({
      a: grader("type: regex\npattern: x\ntarget: trace"),
      b: grader("type: regex\npattern: x\ntarget: files"),
      c: grader("type: regex\npattern: x\ntarget: mock_calls"),
      d: grader("type: tool_used\ntool: Bash\nmax: 3"),
      e: grader("type: tool_order\nbefore: {tool: Read, input_match: a}\nafter: Write"),
      f: grader("type: llm\nfocus: trace\nweight: 3", "Is kind"),
      g: grader("type: baseline\nbaseline_file: ref.jsonl"),
      h: grader("type: tool_used\ntool: Read\nmin: 0"),
    });
    expect(cases[0]?.checks.map(({ id }) => id)).toEqual(["d", "e", "f"]);
    for (const field of [
      "a regex grader with target trace",
      "a regex grader with target files",
      "a regex grader with target mock_calls",
      "max",
      "input_match of a tool_order grader",
      "focus",
      "weight",
      "baseline_file",
      "a tool_used grader with min 0",
    ])
      expect(notes.some((note) => note.includes(`not-carried-over: ${field} is not`))).toBe(true);
    expect(Object.keys(cases[0]?.extras ?? {})).toEqual(
      expect.arrayContaining(["graders.a", "graders.f.weight", "graders.d.max", "graders.g.baseline_file"]),
    );
  });

  it("and mocks: they are told", async () => {
    const { notes } = await imported({
      ...PLUGIN,
      "evals/a/prompt.md": "Go",
      "evals/a/graders/g.md": LLM,
      "evals/mocks/tracker/create.md": "Created\n",
    });
    expect(notes.join()).toContain("mocks/ is not played");
  });
});

describe("what is refused", () => {
  const CASES: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    [
      "no grader",
      { "prompt.md": "Go" },
      "evals/a/prompt.md:1:1 error claude-plugin/no-grader: the case has no grader (add a file to graders/",
    ],
    ["no prompt", { "prompt.md": "---\nruns: 1\n---\n", "graders/g.md": LLM }, "claude-plugin/no-prompt"],
    [
      "an unknown key",
      { "prompt.md": prompt("max_turn: 3"), "graders/g.md": LLM },
      'evals/a/prompt.md:2:1 error claude-plugin/unknown-key: the file has the unknown key "max_turn" (did you mean "max_turns"?)',
    ],
    [
      "frontmatter without an end",
      { "prompt.md": "---\nruns: 1\nGo\n", "graders/g.md": LLM },
      "evals/a/prompt.md:1:1 error file/unclosed",
    ],
    [
      "broken YAML in a grader",
      { "prompt.md": "Go", "graders/g.md": "---\ntype: [llm\n---\nx" },
      "evals/a/graders/g.md:",
    ],
    [
      "an unknown grader",
      { "prompt.md": "Go", "graders/g.md": grader("type: rgex\npattern: x") },
      'evals/a/graders/g.md:2:7 error claude-plugin/not-a-choice: type must be one of "regex"',
    ],
    [
      "a bad pattern",
      { "prompt.md": "Go", "graders/g.md": grader("type: regex\npattern: '(a'") },
      "evals/a/graders/g.md:3:10 error claude-plugin/bad-regex",
    ],
    [
      "a grader without its key",
      { "prompt.md": "Go", "graders/g.md": grader("type: tool_used") },
      'error claude-plugin/missing-key: the tool_used grader "g" has no tool',
    ],
    [
      "an absolute path",
      { "prompt.md": "Go", "graders/g.md": grader("type: file_exists\npath: /etc/passwd") },
      'claude-plugin/bad-path: the path of grader "g" is absolute',
    ],
    [
      "a path that escapes",
      {
        "prompt.md": "Go",
        "graders/g.md": grader("type: regex\npattern: x\ntarget: {source: file, path: ../x}"),
      },
      'leaves its root by ".."',
    ],
    [
      "a script elsewhere",
      {
        "prompt.md": "Go",
        "graders/g.md": LLM,
        "case.yaml": 'schema_version: "1.1"\nname: a\ncontext: {scaffold_script: ../../x.sh}',
      },
      "evals/a/case.yaml:3:28 error claude-plugin/bad-path: context.scaffold_script leaves its root",
    ],
    [
      "a script that is not there",
      {
        "prompt.md": "Go",
        "graders/g.md": LLM,
        "case.yaml": 'schema_version: "1.1"\nname: a\ncontext: {scaffold_script: x.sh}',
      },
      "context.scaffold_script does not exist",
    ],
    [
      "another version",
      {
        "case.yaml":
          'schema_version: "2"\nname: a\nexecution: {prompt: x}\ngraders: [{type: llm, criteria: y}]',
      },
      "claude-plugin/schema-version",
    ],
    [
      "an alias bomb",
      {
        "prompt.md": "Go",
        "graders/g.md": LLM,
        "case.yaml": `name: a\nx0: &x0 [1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 9 }, (_, n) => `x${n + 1}: &x${n + 1} [*x${n},*x${n},*x${n},*x${n},*x${n},*x${n},*x${n},*x${n},*x${n}]`).join("\n")}\n`,
      },
      "evals/a/case.yaml:",
    ],
  ];

  it.each(CASES)("%s", async (_, files, expected) => {
    const { errors, cases } = await imported({
      ...PLUGIN,
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`evals/a/${name}`, text])),
    });
    expect(cases).toEqual([]);
    expect(errors.join("\n")).toContain(expected);
  });
});
