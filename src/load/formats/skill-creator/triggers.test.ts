import { describe, expect, it } from "vitest";
import type { Skill } from "../../../domain/skill.ts";
import { skillCreator } from "./skill-creator.ts";
import { loadText, withoutPlaces } from "./testing.ts";

const SKILL: Skill = {
  name: "xlsx",
  layout: "directory",
  file: "/nowhere/xlsx/SKILL.md",
  root: "/nowhere/xlsx",
  description: "Works on spreadsheets",
  frontmatter: {},
  body: "",
};

/** The two queries that every shape below holds. */
const QUERIES = [
  ["sum the column", true],
  ["write a poem", false],
] as const;

const objects = (textKey: string, labelKey: string) =>
  QUERIES.map(([query, label]) => ({ [textKey]: query, [labelKey]: label }));

const [yes, no] = [["sum the column"], ["write a poem"]];

const SHAPES: readonly (readonly [string, unknown])[] = [
  ["a bare list", objects("query", "should_trigger")],
  ...["evals", "cases", "queries", "tests", "test_cases", "evaluations"].map(
    (wrapper) => [`{${wrapper}}`, { [wrapper]: objects("query", "should_trigger") }] as const,
  ),
  ["a wrapper with a head", { schema_version: 1, skill: "xlsx", cases: objects("prompt", "should_trigger") }],
  ...["prompt", "input", "text", "utterance", "question", "message", "q", "trigger"].map(
    (key) => [`the text key ${key}`, objects(key, "should_trigger")] as const,
  ),
  ...[
    "shouldTrigger",
    "expected_trigger",
    "expectedTrigger",
    "should_invoke",
    "should_fire",
    "should_activate",
    "expected",
    "expect",
    "label",
  ].map((key) => [`the label ${key}`, objects("query", key)] as const),
  ["groups of texts", { should_trigger: yes, should_not_trigger: no }],
  ["camelCase groups", { shouldTrigger: yes, shouldNotTrigger: no }],
  ["positive and negative", { positive: yes, negative: no }],
  ["should_activate groups", { should_activate: yes, should_not_activate: no }],
  [
    "groups of objects",
    { should_trigger: [{ id: "a", prompt: yes[0] }], should_not_trigger: [{ prompt: no[0] }] },
  ],
  [
    "groups with labels",
    { should_trigger: [{ query: yes[0], should_trigger: true }], should_not_trigger: no },
  ],
  [
    "a near neighbor",
    { skill_name: "xlsx", should_trigger: yes, near_neighbor: [{ query: no[0], note: "close" }] },
  ],
  [
    "routes",
    [
      { query: yes[0], skill: "xlsx" },
      { query: no[0], skill: null },
    ],
  ],
  [
    "rivals",
    [
      { query: yes[0], should_trigger: true },
      { query: no[0], should_trigger: false, expected_skill: "poet" },
    ],
  ],
  [
    "route_to",
    {
      queries: [
        { query: yes[0], should_fire: true, route_to: "xlsx" },
        { query: no[0], should_fire: false, route_to: "poet" },
      ],
    },
  ],
  [
    "routing under the assay key",
    {
      assay: { mcp_servers: { a: { command: "b" } } },
      queries: [
        { query: yes[0], should_trigger: true, assay: { forbidden: ["docx"] } },
        {
          query: no[0],
          should_trigger: false,
          assay: { skill: "poet", mcp_servers: { c: { command: "d" } } },
        },
      ],
    },
  ],
  [
    "more keys",
    [
      { id: 1, name: "n", query: yes[0], should_trigger: true, reason: "r" },
      { id: 2, query: no[0], should_trigger: false, _x: 1 },
    ],
  ],
];

describe("every shape", () => {
  it.each(SHAPES)("%s is read", async (_, value) => {
    const { file, errors } = await loadText(JSON.stringify(value), { skill: SKILL });
    expect(errors).toEqual([]);
    expect(file?.dialect).toBe("triggers");
    const read = file?.cases.map(({ kind, prompt, checks: [check, ...more] }) => {
      expect(kind).toBe("trigger");
      expect(more).toEqual([]);
      return [
        prompt.kind === "turns" ? prompt.turns[0] : null,
        check?.kind === "fires" ? check.expected : null,
      ];
    });
    expect(read).toEqual(QUERIES.map(([query, label]) => [query, label]));
  });

  it.each(SHAPES)("%s is written back as it was", async (_, value) => {
    const { file } = await loadText(JSON.stringify(value), { skill: SKILL });
    const written = file && skillCreator.write(file);
    expect(written?.losses).toEqual([]);
    expect(JSON.parse(written?.text ?? "")).toEqual(value);
    const again = await loadText(written?.text ?? "", { skill: SKILL });
    expect(again.file && withoutPlaces(again.file)).toEqual(file && withoutPlaces(file));
  });
});

describe("ids", () => {
  it.each([
    [
      [undefined, undefined],
      ["q001", "q002"],
    ],
    [
      [1, 12],
      ["q001", "q012"],
    ],
    [
      ["pos-1", "neg 1"],
      ["pos-1", "neg-1"],
    ],
  ])("%j become %j, apart from those of evals", async (ids, expected) => {
    const value = ids.map((id, index) => ({ id, query: `Q${index}`, should_trigger: true }));
    const { file } = await loadText(JSON.stringify(value));
    expect(file?.cases.map(({ id }) => id)).toEqual(expected);
  });
});

describe("routing", () => {
  it("names the skill that must answer and those that must not", async () => {
    const value = [
      { query: "a", should_trigger: false, expected_skill: "docx", forbid: ["pptx"] },
      { query: "b", should_trigger: false, expected_skill: "docx", assay: { skill: "pdf" } },
    ];
    const { file } = await loadText(JSON.stringify(value));
    expect(file?.cases.map(({ checks }) => checks[0])).toMatchObject([
      { expected: false, skill: "docx", forbidden: ["pptx"] },
      { expected: false, skill: "pdf", forbidden: [] },
    ]);
    expect(JSON.parse(file ? skillCreator.write(file).text : "")).toEqual(value);
  });

  it("without labels needs to know the skill under test", async () => {
    const value = JSON.stringify([{ query: "a", skill: "docx" }]);
    expect((await loadText(value)).errors).toEqual([
      "[0] names the skill that should answer, but the skill under test is unknown",
    ]);
    expect((await loadText(value, { skill: SKILL })).file?.cases[0]?.checks).toMatchObject([
      { expected: false, skill: "docx" },
    ]);
  });
});

const REFUSED: readonly (readonly [unknown, string])[] = [
  [
    [{ query: "a", should_trigger: "true" }],
    '[0].should_trigger must be true or false, not the string "true"',
  ],
  [[{ query: "a", should_trigger: 1 }], "[0].should_trigger must be true or false, not the number 1"],
  [
    { queries: [{ query: "a", expected: "trigger" }] },
    'queries[0].expected must be true or false, not the string "trigger"',
  ],
  [{ queries: [{ q: "a", expect: "not" }] }, 'queries[0].expect must be true or false, not the string "not"'],
  [[{ prompt: "a", polarity: "positive" }], '[0].polarity must be true or false, not the string "positive"'],
  [
    [{ prompt: "a", expected: "do_not_trigger_here" }],
    '[0].expected must be true or false, not the string "do_not_trigger_here"',
  ],
  [[{ query: "a" }], '[0] has no "should_trigger", which is required'],
  [[{ query: "a", should_trigger: true }, { query: "b" }], '[1] has no "should_trigger", which is required'],
  [[{ should_trigger: true }], '[0] has no "query" text'],
  [
    { cases: [{ query: "", attachments: ["a.pdf"], should_trigger: true }] },
    "cases[0].query must not be blank",
  ],
  [{ should_trigger: ["a", " "] }, "should_trigger[1] must not be blank"],
  [{ should_trigger: ["a", 3] }, "should_trigger[1] must be a query: a text or an object"],
  [[{ query: "a", should_trigger: true }, "b"], "[1] must be an object"],
  [
    { should_trigger: [{ query: "a", should_trigger: false }] },
    'should_trigger[0].should_trigger is false, but the query is in "should_trigger"',
  ],
  [
    { should_trigger: [{ id: 1, query: "a" }], should_not_trigger: [{ id: "1", query: "b" }] },
    'the id "1" is used twice in this file',
  ],
  [
    { assay: { checks: [{ type: "has_urls" }] }, queries: [{ query: "a", should_trigger: true }] },
    "the assay key has checks, but a trigger set has no tasks to check",
  ],
  [
    [{ query: "a", should_trigger: true, assay: { checks: [] } }],
    'the assay key "checks" does nothing on a trigger case',
  ],
  ...[
    { skills: { pdf: { cases: [{ query: "a", should_trigger: true }] } } },
    { skills: { pdf: { should: ["a"], should_not: ["b"] } } },
    { pdf: { positive: ["a"], negative: ["b"] }, docx: { positive: ["c"], negative: [] } },
    { pdf: { should: ["a"], near: [{ prompt: "b", expect: null }] } },
    [{ skill: "pdf", should: ["a"], near: [] }],
  ].map(
    (value) =>
      [
        value,
        "this is a map of several skills, each with its own queries; a trigger set is about one skill",
      ] as const,
  ),
  [
    { skill_name: "pdf", query_results: [], summary: {} },
    "these are the results of a trigger run, not a trigger set",
  ],
];

describe("refusals", () => {
  it.each(REFUSED)("%j", async (value, reason) => {
    const { file, errors } = await loadText(JSON.stringify(value));
    expect(file).toBeNull();
    expect(errors).toEqual([reason]);
  });
});
