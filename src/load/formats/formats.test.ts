import { readFileSync } from "node:fs";
import type { FormatName, ImportName } from "../../domain/suite.ts";
import { type FormatSample, formatContract, importerContract } from "../format.contract.ts";
import { BUILT_IN_FORMATS, importers } from "./index.ts";

const json = (value: unknown) => JSON.stringify(value, null, 2);
const CHECKS = [
  { type: "file_exists", path: "out/a.md" },
  { type: "final_json", at: "status", equals: "complete" },
  { type: "tool_called", tool: "Bash", arguments: "\\d+", applies_to: "with-skill" },
];

/** One file of each dialect that uses about every word of its format. */
const SAMPLES: Readonly<Record<FormatName, readonly FormatSample[]>> = {
  clauditor: [
    {
      dialect: "spec",
      fileName: "cafes.eval.json",
      text: readFileSync(new URL("clauditor/fixtures/full.eval.json", import.meta.url), "utf8"),
      beside: { "data/places.csv": "place\nLisbon\n" },
    },
  ],
  skillet: [
    {
      dialect: "eval",
      fileName: "001.yaml",
      text: [
        "# Lines that only people read.",
        "timestamp: 2025-01-15T10:30:00Z",
        "name: greeter",
        "prompt:",
        "  - Greet Ada",
        "  - |",
        "    And now Bob:",
        "    in two lines",
        "expected: Both are greeted",
        "assertions:",
        "  - {type: contains, value: Ada}",
        '  - {type: regex, value: "B.b"}',
        "  - {type: tool_not_called, value: Bash}",
        "setup: touch a",
        "teardown: rm a",
        "assay:",
        "  checks:",
        "    - {type: max_turns, limit: 3}",
        "",
      ].join("\n"),
    },
  ],
  bmad: [
    {
      dialect: "evals",
      fileName: "evals.json",
      beside: { "files/notes.md": "# Notes\n" },
      text: json({
        skill_name: "brief",
        _note: "for people",
        evals: [
          {
            id: "A1",
            prompt: "Run headless. Write a brief.",
            expected_output: "A brief",
            expectations: ["brief.md exists", "It names a price"],
            files: ["files/notes.md"],
            timeout: 30,
            assay: { checks: CHECKS },
          },
          { id: "A2", prompt: "Run headless. Again.", expectations: ["It says so"] },
        ],
      }),
    },
    {
      dialect: "cases",
      fileName: "cases.json",
      text: json({
        skill: "brief",
        cases: [
          { id: "c1", input: "Go headless", state_prefix: "[mid-session]", rubric: ["It went"], timeout: 9 },
          { id: "c2", input: "Go headless again", rubric: ["It went", "It came back"] },
        ],
      }),
    },
    {
      dialect: "triggers",
      fileName: "triggers.json",
      text: json([
        { query: "write a brief", should_trigger: true },
        { query: "what time is it", should_trigger: false, assay: { skill: "clock" } },
      ]),
    },
  ],
  "skill-creator": [
    {
      dialect: "evals",
      fileName: "evals.json",
      text: json({
        skill_name: "tidy",
        evals: [
          {
            id: 1,
            name: "a folder",
            prompt: "Tidy up",
            expected_output: "It is tidy",
            files: ["evals/files/mess.txt"],
            assertions: ["Nothing is lost", { text: "It is sorted", weight: 2 }],
            assay: { checks: CHECKS },
          },
          { id: "two", prompt: "Tidy again", expectations: ["Nothing changes"] },
        ],
      }),
    },
    {
      dialect: "triggers",
      fileName: "trigger-eval.json",
      text: json([
        { query: "tidy up", should_trigger: true },
        { query: "make a mess", should_trigger: false },
      ]),
    },
  ],
};

const NO_EVALS: readonly FormatSample[] = [
  { dialect: "none", fileName: "package.json", text: '{"name": "x", "version": "1.0.0"}' },
  { dialect: "none", fileName: "empty.json", text: "{}" },
  { dialect: "none", fileName: "list.json", text: "[1, 2]" },
  { dialect: "none", fileName: "config.yaml", text: "name: x\nprompt: none\n" },
];

/** One file of each dialect of the formats that are only read. */
const IMPORTED: Readonly<Record<ImportName, readonly FormatSample[]>> = {
  "claude-plugin": [
    {
      dialect: "prompt",
      fileName: "prompt.md",
      text: [
        "---",
        "name: first-case",
        "runs: 2",
        "max_turns: 10",
        "timeout_seconds: 60",
        "allowed_tools: [Read, Skill]",
        "---",
        "",
        "Write me a commit message.",
        "",
      ].join("\n"),
      beside: { "graders/criteria.md": "---\ntype: llm\n---\nPASS if it names the change.\n" },
    },
    {
      dialect: "case",
      fileName: "case.yaml",
      text: [
        'schema_version: "1.1"',
        "name: whole",
        "runs: 3",
        "execution:",
        "  prompt: Do it",
        "  timeout_seconds: 30",
        "graders:",
        "  - {name: said, type: regex, pattern: done, flags: i, weight: 2}",
        "  - {name: made, type: file_exists, path: out.md}",
        "  - {name: rubric, type: llm, criteria: It is done.}",
        "",
      ].join("\n"),
    },
  ],
  "sentry-skillet": [
    {
      dialect: "case",
      fileName: "branch.yaml",
      text: [
        "behavior: branch-safety",
        "prompt: Commit it",
        "setup: git init -q",
        "checks:",
        "  - shell: test -d .git",
        "  - file_exists: a.txt",
        "  - judge: It is careful.",
        "trials: 2",
        "timeout: 60",
        "",
      ].join("\n"),
    },
  ],
  promptfoo: [
    {
      dialect: "config",
      fileName: "promptfooconfig.yaml",
      text: [
        "description: Greets",
        "prompts: ['Greet {{name}}', 'Hello to {{name}}']",
        "providers: [echo]",
        "defaultTest:",
        "  assert:",
        "    - {type: cost, threshold: 0.1}",
        "tests:",
        "  - description: Ada",
        "    vars: {name: Ada}",
        "    assert:",
        "      - {type: icontains, value: '{{name}}', weight: 2}",
        "      - {type: llm-rubric, value: Is kind}",
        "",
      ].join("\n"),
    },
  ],
  tessl: [
    {
      dialect: "criteria",
      fileName: "criteria.json",
      text: json({
        context: "How it signs tokens",
        type: "weighted_checklist",
        checklist: [
          { name: "Library", description: "It uses the library", max_score: 60, category: "INTENT" },
          { name: "Algorithm", description: "It signs with HS256", max_score: 40 },
        ],
      }),
      beside: { "task.md": "# Sign tokens\n\nWrite auth.js.\n" },
    },
  ],
};

const ALL: Readonly<Record<string, readonly FormatSample[]>> = { ...SAMPLES, ...IMPORTED };

for (const { name, open } of importers) {
  const others = Object.entries(ALL).filter(([other]) => other !== name);
  importerContract(name, {
    format: await open(),
    samples: IMPORTED[name],
    foreign: [...others.flatMap(([, samples]) => samples), ...NO_EVALS],
  });
}

for (const [name, open] of Object.entries(BUILT_IN_FORMATS)) {
  const others = Object.entries(ALL).filter(([other]) => other !== name);
  formatContract(name, {
    format: await open(),
    samples: SAMPLES[name as FormatName],
    foreign: [...others.flatMap(([, samples]) => samples), ...NO_EVALS],
  });
}
