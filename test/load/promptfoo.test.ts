import { describe, expect, it } from "vitest";
import { claims, imported, SKILL } from "../support/imported.ts";

const project = (config: string, more: Readonly<Record<string, string>> = {}) => ({
  "SKILL.md": SKILL("greet"),
  "evals/promptfooconfig.yaml": config,
  ...more,
});

/** The one test with these assertions, each on a line of YAML. */
const asserted = (...assertions: readonly string[]) =>
  imported(
    project(
      [
        "prompts: [Greet]",
        "tests:",
        "  - vars: {name: Ada}",
        "    assert:",
        ...assertions.map((one) => `      - ${one}`),
        "",
      ].join("\n"),
    ),
  );

describe("a promptfoo configuration", () => {
  it("becomes a case for each prompt, test and value of a list", async () => {
    const { cases, suites, errors } = await imported(
      project(
        [
          "description: Greetings",
          "prompts:",
          "  - Greet {{name}} in {{ lang }}",
          "  - {label: short, raw: 'Hi {{name}}, {{who.age}}'}",
          "defaultTest:",
          "  vars: {lang: English, who: {age: 7}}",
          "  assert: [{type: contains, value: '{{name}}'}]",
          "tests:",
          "  - {description: Both, vars: {name: [Ada, Bob]}}",
          "  - {vars: {name: Eve}, prompts: [short], options: {prefix: '> ', suffix: '!'}, metadata: {team: a}}",
          "evaluateOptions: {repeat: 3}",
          "",
        ].join("\n"),
      ),
    );
    expect(errors).toEqual([]);
    expect(suites).toHaveLength(1);
    expect(cases.map(({ id, prompt }) => [id, ...(prompt.kind === "turns" ? prompt.turns : [])])).toEqual([
      ["test-1-prompt-1-row-1", "Greet Ada in English"],
      ["test-1-prompt-1-row-2", "Greet Bob in English"],
      ["test-1-prompt-2-row-1", "Hi Ada, 7"],
      ["test-1-prompt-2-row-2", "Hi Bob, 7"],
      ["test-2-prompt-2", "> Hi Eve, 7!"],
    ]);
    expect(cases[0]).toMatchObject({ name: "Both", settings: { variance: { runs: 3 } } });
    expect(claims(cases[1])).toEqual([{ kind: "contains", needle: "Bob", ignoreCase: false }]);
    expect(cases[4]?.extras).toEqual({ metadata: { team: "a" } });
  });

  it.each([".", "evals", "evals/promptfooconfig.yaml"])(
    "is found, with its skill, from %s",
    async (target) => {
      const { suites } = await imported(
        project("prompts: [Greet]\ntests: [{assert: [{type: equals, value: Hi}]}]\n"),
        target,
      );
      expect(suites).toEqual(["greet: test-1"]);
    },
  );

  it("can lie beside SKILL.md, and be JSON", async () => {
    const config = JSON.stringify({
      prompts: ["Greet"],
      tests: [{ assert: [{ type: "contains", value: "Hi" }] }],
    });
    const { suites } = await imported({ "SKILL.md": SKILL("greet"), "promptfooconfig.json": config });
    expect(suites).toEqual(["greet: test-1"]);
  });

  it("reads prompts, tests, variables and rubrics from files", async () => {
    const { cases, errors, notes } = await imported(
      project("prompts: file://p.txt\ntests: ['file://tests/*.yaml', file://one.json]\n", {
        "evals/p.txt": "Greet {{name}}\n---\nWave to {{name}}\n",
        "evals/tests/a.yaml":
          "- vars: {name: file://name.txt}\n  assert: [{type: llm-rubric, value: file://rubric.txt}]\n",
        "evals/one.json": '{"vars": {"name": "Bob"}}',
        "evals/name.txt": "Ada\n",
        "evals/rubric.txt": "Is kind to {{name}}\n",
      }),
    );
    expect(errors).toEqual([]);
    expect(notes).toEqual([]);
    expect(cases.map(({ prompt }) => prompt)).toEqual(
      ["Greet Ada", "Wave to Ada", "Greet Bob", "Wave to Bob"].map((turn) => ({
        kind: "turns",
        turns: [turn],
      })),
    );
    expect(claims(cases[0])).toEqual([{ kind: "criterion", text: "Is kind to Ada" }]);
  });
});

describe("assertions", () => {
  it("become checks of the same meaning", async () => {
    const { cases, errors } = await asserted(
      "{type: equals, value: 'a.b'}",
      "{type: not-equals, value: a}",
      "{type: contains, value: x}",
      "{type: not-contains, value: x}",
      "{type: icontains, value: X}",
      "{type: not-icontains, value: X}",
      "{type: contains-all, value: [a, b]}",
      "{type: icontains-all, value: 'a, b'}",
      "{type: contains-any, value: [a, b+]}",
      "{type: icontains-any, value: [a, b]}",
      "{type: not-contains-any, value: [a, b]}",
      "{type: starts-with, value: Hi}",
      "{type: not-starts-with, value: Hi}",
      "{type: regex, value: '^a$'}",
      "{type: not-regex, value: b}",
      "{type: is-json}",
      "{type: contains-json}",
      "{type: word-count, value: {min: 2, max: 9}}",
      "{type: cost, threshold: 0.02}",
      "{type: latency, threshold: 5000}",
      "{type: skill-used, value: greet}",
      "{type: 'trajectory:tool-used', value: Read}",
      "{type: 'not-trajectory:tool-used', value: Write}",
      "{type: 'trajectory:tool-sequence', value: {steps: [Read, Write]}}",
      "{type: llm-rubric, value: Is kind}",
      "{type: model-graded-closedqa, value: Is short}",
      "{type: g-eval, value: [One, Two]}",
      "{type: factuality, value: Ada wrote it}",
    );
    expect(errors).toEqual([]);
    const contains = (needle: string, ignoreCase = false) => ({ kind: "contains", needle, ignoreCase });
    expect(claims(cases[0])).toEqual([
      { kind: "regex", pattern: "\\Aa\\.b\\Z" },
      { kind: "regex", pattern: "\\A(?!a\\Z)" },
      contains("x"),
      { kind: "not_contains", needle: "x", ignoreCase: false },
      contains("X", true),
      { kind: "not_contains", needle: "X", ignoreCase: true },
      contains("a"),
      contains("b"),
      contains("a", true),
      contains("b", true),
      { kind: "regex", pattern: "(?:a|b\\+)" },
      { kind: "regex", pattern: "(?i)(?:a|b)" },
      { kind: "not_contains", needle: "a", ignoreCase: false },
      { kind: "not_contains", needle: "b", ignoreCase: false },
      { kind: "starts_with", needle: "Hi", ignoreCase: false },
      { kind: "regex", pattern: "\\A(?!Hi)" },
      { kind: "regex", pattern: "^a\\Z" },
      { kind: "regex", pattern: "\\A(?![\\s\\S]*(?:b))" },
      { kind: "final_json", path: "", expected: { kind: "present" } },
      { kind: "final_json", path: "", expected: { kind: "present" } },
      { kind: "word_count", min: 2, max: 9 },
      { kind: "max_cost_usd", limit: 0.02 },
      { kind: "max_duration_seconds", limit: 5 },
      { kind: "skill_loaded", skill: "greet" },
      { kind: "tool_called", tool: "Read", arguments: null, count: 1 },
      { kind: "tool_not_called", tool: "Write", arguments: null },
      { kind: "tool_order", tools: ["Read", "Write"] },
      { kind: "criterion", text: "Is kind" },
      { kind: "criterion", text: "Is short" },
      { kind: "criterion", text: "One" },
      { kind: "criterion", text: "Two" },
      { kind: "criterion", text: "The answer agrees with these facts: Ada wrote it" },
    ]);
  });

  it.each([
    [
      "{type: javascript, value: 'output.length > 3'}",
      "the assertion javascript is not carried over: Assay runs no code",
    ],
    [
      "{type: python, value: file://check.py}",
      "the assertion python is not carried over: its value is a program",
    ],
    [
      "{type: similar, value: Hello, threshold: 0.8}",
      "the assertion similar is not carried over: Assay compares no embeddings",
    ],
    [
      "{type: 'trajectory:tool-args-match', value: {name: x}}",
      "the assertion trajectory:tool-args-match is not carried over",
    ],
    [
      "{type: 'trajectory:step-count', value: {max: 3}}",
      "the assertion trajectory:step-count is not carried over",
    ],
    ["{type: select-best, value: shortest}", "assay compare"],
    ["{type: max-score}", "assay compare"],
    ["{type: contains, value: x, weight: 0}", "contains with weight 0 is not carried over"],
    ["{type: not-contains-all, value: [a]}", "no check says that one of several is missing"],
    ["{type: made-up, value: x}", "the assertion made-up is not carried over: Assay has no check like it"],
  ])("%s is told, and kept for a conversion", async (assertion, expected) => {
    const { cases, notes, errors } = await asserted(assertion);
    expect(errors).toEqual([]);
    expect(notes.join("\n")).toContain(expected);
    expect(cases[0]?.checks).toEqual([]);
    expect(cases[0]?.extras["assert"]).toHaveLength(1);
  });

  it("tell weights, thresholds, metrics and schemas, and count all the same", async () => {
    const { cases, notes } = await asserted(
      "{type: contains, value: x, weight: 2, metric: m}",
      "{type: llm-rubric, value: y, threshold: 0.8, provider: openai:gpt-4}",
      "{type: is-json, value: {type: object}}",
      "{type: assert-set, threshold: 0.5, assert: [{type: contains, value: z}]}",
    );
    expect(cases[0]?.checks).toHaveLength(4);
    for (const field of ["weight", "threshold", "metric of an assertion", "provider of an assertion"])
      expect(notes.join("\n")).toContain(`not-carried-over: ${field} is not used`);
    expect(notes.join("\n")).toContain("its schema is not checked");
  });
});

describe("what only says how promptfoo runs", () => {
  it("is told field by field, and kept", async () => {
    const { files, notes } = await imported(
      project(
        "prompts: [Greet]\nproviders: [openai:gpt-4]\nscenarios: [{}]\noutputPath: x.json\nenv: {A: b}\nextensions: [file://x.js]\nevaluateOptions: {maxConcurrency: 2}\nsharing: true\ntests: [{threshold: 0.5, provider: x, assert: []}]\n",
      ),
    );
    const told = ["providers", "scenarios", "outputPath", "env", "extensions", "evaluateOptions", "sharing"];
    for (const field of [...told, "threshold of a test", "provider of a test"])
      expect(notes.join("\n")).toContain(`promptfoo/not-carried-over: ${field} is not`);
    expect(Object.keys(files[0]?.extras ?? {}).toSorted()).toEqual(told.toSorted());
  });
});

describe("what is refused", () => {
  it.each<[string, string, Readonly<Record<string, string>>, string]>([
    ["no prompts", "description: x\n", {}, "evals/promptfooconfig.yaml:1:1 error promptfoo/no-prompt"],
    ["a program as a prompt", "prompts: [file://p.js]\ntests: []\n", {}, "promptfoo/code-not-run"],
    [
      "a template that decides",
      "prompts: ['{% if a %}x{% endif %}']\ntests: [{}]\n",
      {},
      "1:11 error promptfoo/template: the prompt uses {% if a %}",
    ],
    ["a filter", "prompts: ['{{ a | upper }}']\ntests: [{}]\n", {}, "promptfoo/template"],
    [
      "an absolute file",
      "prompts: ['file:///etc/passwd']\ntests: [{}]\n",
      {},
      '"file:///etc/passwd" is absolute',
    ],
    ["a file elsewhere", "prompts: ['file://../../../x.txt']\ntests: [{}]\n", {}, 'leaves its root by ".."'],
    [
      "a link to elsewhere",
      "prompts: ['file://p.txt']\ntests: [{}]\n",
      { "evals/p.txt": "->/etc/hostname" },
      "is a link that leads out",
    ],
    ["a missing file", "prompts: ['file://p.txt']\ntests: [{}]\n", {}, "promptfoo/bad-file"],
    [
      "files that lead back",
      "prompts: [x]\ntests: file://a.yaml\n",
      { "evals/a.yaml": "[file://b.yaml]\n", "evals/b.yaml": "[file://a.yaml]\n" },
      "promptfoo/file-cycle: these files lead back to themselves",
    ],
    [
      "tests in CSV",
      "prompts: [x]\ntests: file://a.csv\n",
      { "evals/a.csv": "a,b\n" },
      "tests can be in YAML or JSON files",
    ],
    [
      "a bad pattern",
      "prompts: [x]\ntests: [{assert: [{type: regex, value: '(a'}]}]\n",
      {},
      "promptfoo/bad-regex",
    ],
    [
      "an assertion without a value",
      "prompts: [x]\ntests: [{assert: [{type: contains}]}]\n",
      {},
      'the assertion "contains" needs a text',
    ],
    ["an assertion without a type", "prompts: [x]\ntests: [{assert: [{value: a}]}]\n", {}, 'has no "type"'],
    [
      "too many combinations",
      `prompts: [x]\ntests: [{vars: {${["a", "b", "c", "d", "e"].map((name) => `${name}: [1,2,3,4,5,6,7,8,9]`).join(", ")}}}]\n`,
      {},
      "promptfoo/too-many-cases: this makes more than 10000 cases",
    ],
    [
      "broken YAML in a file of tests",
      "prompts: [x]\ntests: file://a.yaml\n",
      { "evals/a.yaml": "- {a: [\n" },
      "evals/a.yaml:",
    ],
    ["a prompt nobody has", "prompts: [x]\ntests: [{prompts: [nope]}]\n", {}, "no prompt is called nope"],
  ])("%s", async (_, config, more, expected) => {
    const { cases, errors } = await imported(project(config, more));
    expect(cases).toEqual([]);
    expect(errors.join("\n")).toContain(expected);
  });

  it("is said once, however many tests it is about", async () => {
    const tests = Array.from({ length: 50 }, () => "  - {vars: {a: 1}}").join("\n");
    const { errors } = await imported(
      project(`prompts: [x]\ndefaultTest: {assert: [{type: regex, value: '(a'}]}\ntests:\n${tests}\n`),
    );
    expect(errors).toHaveLength(1);
  });

  it("is nothing of ten thousand tests", { timeout: 180_000 }, async () => {
    const tests = Array.from(
      { length: 10_000 },
      (_, n) => `  - {vars: {a: ${n}}, assert: [{type: contains, value: "{{a}}", weight: 2}]}`,
    );
    const { cases, notes, errors } = await imported(
      project(`prompts: ['Say {{a}}']\ntests:\n${tests.join("\n")}\n`),
    );
    expect(errors).toEqual([]);
    expect(cases).toHaveLength(10_000);
    expect(notes).toEqual([
      expect.stringContaining("weight is not used: every check counts the same (10000 times)"),
    ]);
  });
});
