import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Case } from "../../../domain/suite.ts";
import type { Skill } from "../../../domain/skill.ts";
import { fileNameProblem } from "../../../lib/file-name.ts";
import { loadText } from "./testing.ts";

const SKILL: Skill = {
  name: "pdf",
  layout: "directory",
  file: "/nowhere/skill/SKILL.md",
  root: "/nowhere/skill",
  description: "Reads PDFs",
  frontmatter: {},
  body: "",
};

async function cases(value: unknown): Promise<readonly Case[]> {
  const { file, errors } = await loadText(JSON.stringify(value));
  expect(errors).toEqual([]);
  return file?.cases ?? [];
}

const evalsOf = (...evals: unknown[]) => ({ skill_name: "pdf", evals });

/** The example of skill-creator's schema document. */
const DOCUMENTED = {
  skill_name: "example-skill",
  evals: [
    {
      id: 1,
      prompt: "User's example prompt",
      expected_output: "Description of expected result",
      files: ["evals/files/sample1.pdf"],
      expectations: ["The output includes X", "The skill used script Y"],
    },
  ],
};

describe("the documented file", () => {
  it("becomes a case with every field", async () => {
    const { file, errors } = await loadText(JSON.stringify(DOCUMENTED));
    expect(errors).toEqual([]);
    expect(file).toMatchObject({
      format: "skill-creator",
      dialect: "evals",
      skillName: "example-skill",
      description: null,
      extras: {},
    });
    expect(file?.cases).toMatchObject([
      {
        id: "1",
        declaredId: 1,
        kind: "task",
        prompt: { kind: "turns", turns: ["User's example prompt"] },
        expectedOutput: "Description of expected result",
        files: [{ kind: "path", declared: "evals/files/sample1.pdf", target: "evals/files/sample1.pdf" }],
        checks: [
          {
            id: "expectation-1",
            layer: "L3",
            kind: "criterion",
            text: "The output includes X",
            origin: null,
          },
          { id: "expectation-2", layer: "L3", kind: "criterion", text: "The skill used script Y" },
        ],
        extras: {},
      },
    ]);
  });

  it("points at its evals", async () => {
    const { file } = await loadText(JSON.stringify(DOCUMENTED, null, 2));
    expect(file?.cases[0]?.at).toEqual({ file: "/nowhere/skill/evals/evals.json", line: 4, column: 5 });
  });
});

describe("spellings", () => {
  it.each([
    ["a bare list", [{ id: 1, prompt: "P" }]],
    ["no skill_name", { evals: [{ id: 1, prompt: "P" }] }],
    ["skill", { skill: "pdf", evals: [{ id: 1, prompt: "P" }] }],
    ["eval_id", evalsOf({ eval_id: 1, prompt: "P" })],
    ["query", evalsOf({ id: 1, query: "P", expected_output: "x" })],
    ["question", [{ id: 1, question: "P", expected_behavior: ["x"] }]],
    [
      "nulls",
      { skill_name: null, evals: [{ id: 1, prompt: "P", files: null, expectations: null, name: null }] },
    ],
    [
      "a byte order mark is stripped by the reader, CRLF stays",
      JSON.parse('{"evals":[\r\n{"id":1,"prompt":"P"}]}'),
    ],
  ])("reads %s", async (_, value) => {
    const [first] = await cases(value);
    expect(first).toMatchObject({ id: "1", declaredId: 1, prompt: { kind: "turns", turns: ["P"] } });
  });

  it.each([
    ["expectations", ["a", "b"]],
    ["assertions", ["a", "b"]],
    ["expected_behavior", ["a", "b"]],
    ["expected_behaviors", ["a", "b"]],
  ])("reads checks from %s", async (key, statements) => {
    const [first] = await cases(evalsOf({ id: 1, prompt: "P", [key]: statements }));
    expect(first?.checks.map(({ text }) => text)).toEqual(statements);
  });

  it.each([
    [{ text: "S", description: "D", name: "N" }, "S"],
    [{ description: "D", name: "N", type: "x" }, "D"],
    [{ expectation: "E", name: "N" }, "E"],
    [{ assertion: "A" }, "A"],
    [{ criterion: "C" }, "C"],
    [{ name: "N", check: "x", value: 3 }, "N"],
    [{ text: "  ", description: "D" }, "D"],
    [{ id: "a", text: "S", passed: false, evidence: "" }, "S"],
  ])("takes the statement of %j", async (entry, statement) => {
    const [first] = await cases(evalsOf({ id: 1, prompt: "P", assertions: [entry] }));
    expect(first?.checks).toMatchObject([{ text: statement, origin: entry, kind: "criterion" }]);
  });

  it("keeps declared check ids and numbers the rest around them", async () => {
    const assertions = [{ id: 7, text: "a" }, "b", { id: "expectation-4", text: "c" }, "d"];
    const [first] = await cases(evalsOf({ id: 1, prompt: "P", assertions }));
    expect(first?.checks.map(({ id }) => id)).toEqual([
      "7",
      "expectation-2",
      "expectation-4",
      "expectation-4'",
    ]);
  });

  it("reads two equal lists as one, and an empty one as none", async () => {
    const [same, empty, none] = await cases(
      evalsOf(
        { id: 1, prompt: "P", assertions: ["a"], expectations: ["a"] },
        { id: 2, prompt: "P", assertions: ["a"], expectations: [] },
        { id: 3, prompt: "P", assertions: [], expectations: [] },
      ),
    );
    expect([same, empty, none].map((each) => each?.checks.length)).toEqual([1, 1, 0]);
  });

  it("takes a text in place of expected_output as one, and leaves it ungraded", async () => {
    const [first, second] = await cases([
      { id: 1, prompt: "P", expected: "It works" },
      { id: 2, prompt: "P", expected_behavior: "It works" },
    ]);
    expect(first).toMatchObject({ expectedOutput: "It works", checks: [] });
    expect(second).toMatchObject({ expectedOutput: "It works", checks: [] });
  });

  it.each(["timeout", "timeout_seconds"])("takes %s as the seconds that a case may take", async (key) => {
    const { file, errors, notes } = await loadText(
      JSON.stringify(evalsOf({ id: 1, prompt: "P", expectations: ["a"], [key]: 45 })),
    );
    expect(errors).toEqual([]);
    expect(notes.filter((note) => note.includes("unknown"))).toEqual([]);
    expect(file?.cases[0]?.settings.timeoutSeconds).toBe(45);
    expect(file?.cases[0]?.extras[key]).toBeUndefined();
  });

  it.each([0, -3, "5m", true])("refuses a timeout of %j", async (timeout) => {
    const { file, errors } = await loadText(JSON.stringify(evalsOf({ id: 1, prompt: "P", timeout })));
    expect(file).toBeNull();
    expect(errors).toEqual([expect.stringContaining("evals[0].timeout must be")]);
  });

  it("keeps what it does not know", async () => {
    const { file, notes } = await loadText(
      JSON.stringify({
        ...evalsOf(
          { id: 1, prompt: "P", expectations: ["a"], trap: "x", _mine: 1 },
          { id: 2, prompt: "P", expectations: ["a"], trap: "y" },
        ),
        gates: {},
        _design_notes: "z",
      }),
    );
    expect(file?.extras).toEqual({ gates: {}, _design_notes: "z" });
    expect(file?.cases[0]?.extras).toEqual({ trap: "x", _mine: 1 });
    expect(notes).toEqual([
      'the file has the unknown key "gates": it is ignored',
      'an eval has the unknown key "trap": it is ignored (2 times in this file)',
    ]);
  });
});

describe("ids", () => {
  it.each([
    [
      [0, 1],
      ["0", "1"],
    ],
    [
      ["A1", "a1"],
      ["A1", expect.stringMatching(/^a1-[0-9a-f]{8}$/)],
    ],
    [
      ["My eval: one", "b"],
      ["My-eval-one", "b"],
    ],
    [["日本語"], ["日本語"]],
    [["???"], [expect.stringMatching(/^id-[0-9a-f]{8}$/)]],
    [["con"], [expect.stringMatching(/^id-[0-9a-f]{8}$/)]],
    [["auth/login"], ["auth-login"]],
    [["x".repeat(300)], [expect.stringMatching(/^x{40}-[0-9a-f]{8}$/)]],
  ])("%j become directory names", async (ids, expected) => {
    const loaded = await cases(evalsOf(...ids.map((id) => ({ id, prompt: "P" }))));
    expect(loaded.map(({ id }) => id)).toEqual(expected);
    expect(loaded.map(({ declaredId }) => declaredId)).toEqual(ids);
  });

  it("become names that are safe and differ, however long they are and whatever their letters", async () => {
    const unit = fc.constantFrom("a", "A", "-", "?", "漢", "\u{1f642}", "é");
    const id = fc
      .string({ unit, minLength: 1, maxLength: 60, size: "max" })
      .filter((text) => text.trim() !== "");
    const alike = fc.constantFrom("漢".repeat(40), "漢".repeat(41), `${"漢".repeat(40)}-`, "x".repeat(41));
    const ids = fc.uniqueArray(fc.oneof(id, alike), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(ids, async (declared) => {
        const loaded = await cases(evalsOf(...declared.map((one) => ({ id: one, prompt: "P" }))));
        const names = loaded.map((one) => one.id.toLowerCase());
        expect(names.filter((name) => fileNameProblem(name) !== null)).toEqual([]);
        expect(new Set(names).size).toBe(declared.length);
      }),
    );
  });

  it("come from the position where the file has none, also beside declared ones", async () => {
    const { file, notes } = await loadText(
      JSON.stringify([{ id: 2, prompt: "P" }, { prompt: "P" }, { prompt: "P" }]),
    );
    expect(file?.cases.map(({ id }) => id)).toEqual(["2", expect.stringMatching(/^2-[0-9a-f]{8}$/), "3"]);
    expect(file?.cases.map(({ declaredId }) => declaredId)).toEqual([2, null, null]);
    expect(notes).toContain("2 of 3 evals have no id, so their position is used");
  });
});

describe("notes", () => {
  it("tell of a skill_name that is not the skill's", async () => {
    const text = JSON.stringify(evalsOf());
    const { notes } = await loadText(text, { skill: { ...SKILL, name: "docx" } });
    expect(notes).toContain('skill_name is "pdf", but the skill is called "docx"');
    expect((await loadText(text, { skill: SKILL })).notes).toEqual(["the file has no evals"]);
  });

  it("tell of evals without checks, of other spellings, and of nothing else", async () => {
    const { notes } = await loadText(JSON.stringify(evalsOf({ eval_id: 1, prompt: "P", eval_name: "n" })));
    expect(notes).toEqual([
      '"eval_id" is read as "id"',
      "1 of 1 evals have no checks, so they run without being graded",
    ]);
  });
});

describe("refusals", () => {
  it.each([
    [evalsOf({ id: 1 }), 'evals[0] has no "prompt", which is required'],
    [evalsOf({ id: 1, prompt: " " }), "evals[0].prompt must not be blank"],
    [evalsOf({ id: 1, prompt: ["a"] }), "evals[0].prompt must be a string, not a list"],
    [evalsOf("do it"), 'evals[0] must be an object with a prompt, not the string "do it"'],
    [{ evals: { a: 1 } }, "evals must be a list of evals, not an object"],
    [evalsOf({ id: 1, prompt: "P" }, { id: "1", prompt: "P" }), 'the id "1" is used twice in this file'],
    [evalsOf({ id: 1.5, prompt: "P" }), "evals[0].id must be an integer or a string, not the number 1.5"],
    [evalsOf({ id: -1, prompt: "P" }), "evals[0].id must be between 0 and 9007199254740991, not -1"],
    [evalsOf({ id: "", prompt: "P" }), 'evals[0].id is blank: ""'],
    [evalsOf({ id: "../../evil", prompt: "P" }), 'evals[0].id leaves its root by "..": "../../evil"'],
    [
      evalsOf({ id: 1, prompt: "P", assertions: { a: "b" } }),
      "evals[0].assertions must be a list of statements, not an object",
    ],
    [evalsOf({ id: 1, prompt: "P", expectations: ["a", ""] }), "evals[0].expectations[1] must not be blank"],
    [
      evalsOf({ id: 1, prompt: "P", expectations: [3] }),
      "evals[0].expectations[0] must be a statement: a text, or an object with one, not the number 3",
    ],
    [
      evalsOf({ id: 1, prompt: "P", expectations: ["a"], assertions: ["b"] }),
      'evals[0] has both "expectations" and "assertions", and they differ',
    ],
    [
      evalsOf({ id: 1, prompt: "P", assertions: [{ type: "contains", value: "x" }] }),
      'evals[0].assertions[0] has "type", "value" but no statement: such a check belongs to another tool',
    ],
    [
      evalsOf({ id: 1, prompt: "P", assertions: [{ type: "regex", pattern: "x", weight: 1 }] }),
      'evals[0].assertions[0] has "type", "pattern", "weight" but no statement: such a check belongs to another tool',
    ],
    [evalsOf({ id: 1, prompt: "P", assertions: [{}] }), "evals[0].assertions[0] states nothing"],
    [
      evalsOf({
        id: 1,
        prompt: "P",
        assertions: [
          { id: 1, text: "a" },
          { id: "1", text: "b" },
        ],
      }),
      'evals[0].assertions has two entries with the id "1"',
    ],
    [evalsOf({ id: 1, prompt: "P", files: ["../x"] }), 'evals[0].files[0] leaves its root by "..": "../x"'],
    [evalsOf({ id: 1, prompt: "P", files: "x" }), 'evals[0].files must be a list, not the string "x"'],
    [
      evalsOf({ id: 1, prompt: "P", files: [{ name: "a" }] }),
      'evals[0].files[0] has no "content", which is required',
    ],
    [
      evalsOf({ id: 1, prompt: "P", files: [{ name: "/a", content: "" }] }),
      'evals[0].files[0] is absolute: "/a"',
    ],
    [evalsOf({ id: 1, prompt: "P", assay: { cheks: [] } }), 'evals[0].assay has the unknown key "cheks"'],
    [
      evalsOf({ id: 1, prompt: "P", should_trigger: true, assertions: ["a"] }),
      '"evals" fits two formats: its entries have labels such as "should_trigger", as trigger queries do, and checks, as evals do',
    ],
    [
      { cases: [{ id: 1, prompt: "P", expect: "x" }] },
      'a list "cases" whose entries have "id", "prompt", "expect" is another format: they have no "should_trigger", and skill-creator\'s evals stand under "evals" with a "prompt"',
    ],
    [
      { evaluations: [{ name: "x" }] },
      'a list "evaluations" whose entries have "name" is another format: they have no "should_trigger", and skill-creator\'s evals stand under "evals" with a "prompt"',
    ],
    [{ test_cases: [] }, 'a list "test_cases" without entries says nothing'],
    [["a", "b"], "a list of plain values is neither evals nor labelled queries"],
    [[], "a list without entries says nothing"],
    ["x", "the file holds neither a list nor an object"],
    [
      { eval_id: 1, prompt: "P", assertions: [] },
      "this is the metadata of one eval in a result folder, not an eval file",
    ],
    [{ id: 1, prompt: "P" }, "this is a single eval, not a file of evals"],
    [{ runs: [], run_summary: {} }, "this is a benchmark's result, not an eval file"],
    [{ expectations: [], summary: {} }, "this is a grading result, not an eval file"],
    [{ score: null }, 'the file has neither a list "evals" nor trigger queries: it has "score"'],
    [{}, 'the file has neither a list "evals" nor trigger queries: it has no keys'],
  ])("%j", async (value, reason) => {
    const { file, errors, diagnostics } = await loadText(JSON.stringify(value));
    expect(file).toBeNull();
    expect(errors).toEqual([reason]);
    expect(diagnostics.every(({ code, at }) => code.startsWith("skill-creator/") && at !== null)).toBe(true);
  });

  it("come all at once, each at its place", async () => {
    const text =
      '[\n{"id": 1, "prompt": ""},\n{"id": 1, "prompt": "P", "files": ["../x"]},\n{"id": 1, "prompt": "P"}]';
    const { diagnostics } = await loadText(text);
    const told = diagnostics.filter(({ severity }) => severity === "error");
    expect(told.map(({ code, at }) => `${code} ${at?.line}:${at?.column}`)).toEqual([
      "skill-creator/blank 2:21",
      "skill-creator/bad-path 3:36",
      "skill-creator/duplicate-id 3:8",
      "skill-creator/duplicate-id 4:8",
    ]);
  });
});

describe("the assay key", () => {
  it("adds checks of the file and of the eval, and the rest", async () => {
    const [first, second] = await cases({
      assay: { checks: [{ type: "no_denied_tools" }] },
      evals: [
        {
          id: 1,
          prompt: "P",
          expectations: ["a"],
          assay: {
            checks: [{ type: "file_exists", path: "out.md" }],
            with_only: ["expectation-1"],
            reference: { output: "done" },
            mcp_servers: { x: { command: "y" } },
          },
        },
        { id: 2, prompt: "P" },
      ],
    });
    expect(first?.checks.map(({ id, appliesTo }) => [id, appliesTo])).toEqual([
      ["expectation-1", "with-skill"],
      ["no_denied_tools", "every-variant"],
      ["file_exists:out.md", "every-variant"],
    ]);
    expect(first).toMatchObject({ reference: { output: "done" }, mcpServers: { x: { command: "y" } } });
    expect(second?.checks.map(({ id }) => id)).toEqual(["no_denied_tools"]);
  });
});

describe("files", () => {
  let project: string;
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), "assay-files-"));
  });
  afterEach(() => rmSync(project, { recursive: true, force: true }));

  function put(...paths: string[]): void {
    for (const path of paths) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), path);
    }
  }

  async function locate(files: unknown[]) {
    const root = join(project, "skills/pdf");
    const path = join(root, "evals/evals.json");
    put("skills/pdf/evals/evals.json");
    const { file, notes, errors } = await loadText(
      JSON.stringify(evalsOf({ id: 1, prompt: "P", expectations: ["a"], files })),
      {
        path,
        skill: { ...SKILL, root, file: join(root, "SKILL.md") },
        projectRoot: project,
      },
    );
    expect(errors).toEqual([]);
    return { files: file?.cases[0]?.files ?? [], notes };
  }

  it.each([
    ["the skill", "skills/pdf/evals/files/a.txt", "evals/files/a.txt"],
    ["the evals directory", "skills/pdf/evals/files/a.txt", "files/a.txt"],
    ["its files directory", "skills/pdf/evals/files/a.txt", "a.txt"],
    ["the project", "data/a.txt", "./data//a.txt"],
  ])("are found in %s", async (_, place, declared) => {
    put(place);
    const { files, notes } = await locate([declared]);
    expect(files).toEqual([
      {
        kind: "path",
        declared,
        source: join(project, place),
        target: declared.replace("./", "").replace("//", "/"),
        problem: null,
      },
    ]);
    expect(notes).toEqual([]);
  });

  it("of the skill win, and another place is told", async () => {
    put("skills/pdf/a.txt", "a.txt");
    const { files, notes } = await locate(["a.txt"]);
    expect(files).toMatchObject([{ source: join(project, "skills/pdf/a.txt") }]);
    expect(notes).toEqual([
      `the file "a.txt" is in several places: ${join(project, "skills/pdf/a.txt")} is used, not ${join(project, "a.txt")}`,
    ]);
  });

  it.each([
    ["gone.txt", "gone.txt", "does not exist"],
    ["data/*.csv", "data/*.csv", "does not exist"],
    ["/etc/hostname", "hostname", "is absolute, so other machines do not have it"],
    ["C:\\data\\a.csv", "a.csv", "is absolute, so other machines do not have it"],
    ["~/a.csv", "a.csv", "starts in a home directory, so other machines do not have it"],
    ["evals", "evals", "holds the eval file itself"],
    ["evals/evals.json", "evals/evals.json", "holds the eval file itself"],
  ])("%s is a note now and a problem of the case", async (declared, target, problem) => {
    const { files, notes } = await locate([declared]);
    expect(files).toEqual([{ kind: "path", declared, source: null, target, problem }]);
    expect(notes).toEqual([`the file ${JSON.stringify(declared)} ${problem}`]);
  });

  it("behind a link out of the project cannot be staged, and a loop of links is no file", async () => {
    put("skills/pdf/SKILL.md");
    symlinkSync(tmpdir(), join(project, "skills/pdf/out"));
    symlinkSync("loop", join(project, "skills/pdf/loop"));
    const { files } = await locate(["out", "loop"]);
    expect(files).toMatchObject([
      { source: null, problem: "is a link to a place outside the project" },
      { source: null, problem: "does not exist" },
    ]);
  });

  it("may be inline", async () => {
    const { files } = await locate([{ name: "./in/a.csv", content: "x,y\n" }]);
    expect(files).toEqual([{ kind: "inline", target: "in/a.csv", content: "x,y\n" }]);
  });
});
