import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Check } from "../../../domain/check.ts";
import type { Diagnostic } from "../../../domain/diagnostic.ts";
import type { Skill } from "../../../domain/skill.ts";
import { type Case, type EvalFile, NO_SETTINGS } from "../../../domain/suite.ts";
import { fileNameProblem } from "../../../lib/file-name.ts";
import { parseDocument } from "../../document.ts";
import { plainCase } from "../../plain-case.ts";
import { bmad } from "./bmad.ts";

const SHARED = fileURLToPath(new URL("../../../../../shared/", import.meta.url));
const EVAL = { id: "A1", prompt: "Run headless. Go", expectations: ["It went"] };
const CASE = { id: "c1", input: "Go headless", rubric: ["It went"] };
const PLACES = { evals: "/x/evals.json", cases: "/x/cases.json", triggers: "/x/triggers.json" };

interface Around {
  readonly path?: string;
  readonly skill?: Skill | null;
  readonly projectRoot?: string | null;
}

async function loadText(
  text: string,
  { path = PLACES.evals, skill = null, projectRoot = null }: Around = {},
) {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const document = parseDocument(path, text, report);
  const file = document === null ? null : await bmad.load(document, { report, skill, projectRoot });
  return { file, diagnostics, recognised: document === null ? null : bmad.recognise(document) };
}

function load(content: unknown, around?: Around) {
  return loadText(JSON.stringify(content, null, 2), around);
}

function evals(...entries: readonly object[]) {
  return { evals: entries.map((entry) => Object.assign({}, EVAL, entry)) };
}

async function problems(content: unknown, around?: Around): Promise<string[]> {
  const { diagnostics } = await load(content, around);
  return diagnostics.map(
    ({ severity, code, message, hint }) =>
      `${severity} ${code}: ${message}${hint === null ? "" : ` (${hint})`}`,
  );
}

function withoutPlaces(file: EvalFile | null): unknown {
  return JSON.parse(
    JSON.stringify(file, (key, value: unknown) => (key === "at" || key === "path" ? undefined : value)),
  );
}

/** What a file says, before and after it was written and read again. */
async function roundTrip(text: string, around?: Around) {
  const first = await loadText(text, around);
  const written = bmad.write(first.file!);
  const second = await loadText(written.text, around);
  return {
    before: { file: withoutPlaces(first.file), text: written.text, losses: [], files: undefined },
    after: {
      file: withoutPlaces(second.file),
      text: second.file === null ? null : bmad.write(second.file).text,
      losses: written.losses,
      files: written.files,
    },
  };
}

/** A file is used, or an error says why not. */
function isAnswered({ file, diagnostics }: Awaited<ReturnType<typeof loadText>>): boolean {
  return file !== null || diagnostics.some(({ severity }) => severity === "error");
}

function skillWith(body: string): Skill {
  return {
    name: "s",
    layout: "directory",
    file: "/s/SKILL.md",
    root: "/s",
    description: null,
    frontmatter: {},
    body,
  };
}

describe("evals.json", () => {
  it("makes a case of each eval", async () => {
    const text = `{
  "skill_name": "brief",
  "_design_notes": "why",
  "evals": [
    { "id": "A1", "prompt": "Run headless. Go", "expected_output": "A brief", "expectations": ["One", "Two"],
      "timeout": 900, "_pattern": "artifact" }
  ]
}`;
    const { file, diagnostics } = await loadText(text);
    expect(diagnostics).toEqual([]);
    expect(file).toMatchObject({
      format: "bmad",
      dialect: "evals",
      skillName: "brief",
      extras: { _design_notes: "why" },
    });
    const criterion = { layer: "L3", kind: "criterion", appliesTo: "every-variant", origin: null };
    expect(file?.cases).toEqual([
      {
        ...plainCase({
          id: "A1",
          declaredId: "A1",
          kind: "task",
          format: "bmad",
          at: { file: PLACES.evals, line: 5, column: 5 },
          prompt: { kind: "turns", turns: ["Run headless. Go"] },
        }),
        expectedOutput: "A brief",
        checks: [
          { ...criterion, id: "expectation-1", text: "One" },
          { ...criterion, id: "expectation-2", text: "Two" },
        ],
        settings: { ...NO_SETTINGS, timeoutSeconds: 900 },
        extras: { _pattern: "artifact" },
      },
    ]);
  });

  it("takes integers as ids and nulls as left out", async () => {
    const { file, diagnostics } = await load({
      skill_name: null,
      ...evals({ id: 0, files: null, timeout: null, expected_output: null }, { id: 12 }),
    });
    expect(diagnostics).toEqual([]);
    expect(file?.cases.map(({ id, declaredId }) => [id, declaredId])).toEqual([
      ["0", 0],
      ["12", 12],
    ]);
  });

  it("reads the assay key of the file and of an eval", async () => {
    const { file, diagnostics } = await load({
      ...evals(
        { assay: { checks: [{ type: "no_denied_tools" }], reference: { output: "went" } } },
        { id: "A2" },
      ),
      assay: { checks: [{ type: "max_turns", limit: 9 }] },
    });
    expect(diagnostics).toEqual([]);
    expect(file?.cases.map(({ checks }) => checks.map(({ kind }) => kind))).toEqual([
      ["criterion", "max_turns", "no_denied_tools"],
      ["criterion", "max_turns"],
    ]);
    expect(file?.cases[0]?.reference).toEqual({ output: "went", files: {} });
  });

  it.each<[string, unknown, string[]]>([
    ["no list", {}, ['the file has no "evals"']],
    ["no list of evals", { evals: {} }, ["evals must be a list, not an object"]],
    ["no eval", { evals: ["x"] }, ["evals[0] must be an object"]],
    [
      "nothing required",
      { evals: [{}] },
      ["id", "prompt", "expectations"].map((key) => `evals[0] has no "${key}"`),
    ],
    ["a blank prompt", evals({ prompt: " \n" }), ["evals[0].prompt must not be blank"]],
    ["a prompt of another type", evals({ prompt: ["a"] }), ["evals[0].prompt must be a string"]],
    ["no expectations", evals({ expectations: [] }), ["evals[0].expectations must not be empty"]],
    [
      "a blank expectation",
      evals({ expectations: ["a", ""] }),
      ["evals[0].expectations[1] must not be blank"],
    ],
    [
      "an object as expectation",
      evals({ expectations: [{ text: "a" }] }),
      ["must be a string, not an object"],
    ],
    ["timeout zero", evals({ timeout: 0 }), ["evals[0].timeout must be at least 1, not 0"]],
    ["a quoted timeout", evals({ timeout: "900" }), ["write 900 without quotes"]],
    ["a half timeout", evals({ timeout: 1.5 }), ["evals[0].timeout must be an integer"]],
    ["a boolean id", evals({ id: true }), ["evals[0].id must be a string or an integer, not true"]],
    ["a float id", evals({ id: 1.5 }), ["evals[0].id must be a string or an integer"]],
    ["a huge id", evals({ id: 2 ** 60 }), ["too large"]],
    ["an escaping id", evals({ id: "../../evil" }), ["evals[0].id contains a path separator"]],
    ["a hidden id", evals({ id: ".git" }), ["evals[0].id starts with a dot"]],
    ["an empty id", evals({ id: "" }), ["evals[0].id is empty"]],
    ["a control character", evals({ id: "a\u0000" }), ["control character"]],
    ["a long id", evals({ id: "x".repeat(200) }), ["longer than"]],
    ["one id twice", evals({}, {}), ['the id "A1" is used twice']],
    ["one id twice after String()", evals({ id: 1 }, { id: "1" }), ['the id "1" is used twice']],
    ["an absolute file", evals({ files: ["/etc/passwd"] }), ["evals[0].files[0] is absolute"]],
    ["a drive", evals({ files: ["C:\\x"] }), ["is absolute"]],
    ["a file at home", evals({ files: ["~/x"] }), ["starts in a home directory"]],
    ["an escaping file", evals({ files: ["a", "a/../../x"] }), ['evals[0].files[1] leaves its root by ".."']],
    ["a file of no name", evals({ files: ["./"] }), ["names no file"]],
    ["files of another type", evals({ files: "a" }), ["evals[0].files must be a list"]],
    ["a wrong assay key", evals({ assay: { checks: 1 } }), ["evals[0].assay.checks must be a list"]],
    ["an unknown check id", evals({ assay: { with_only: ["x"] } }), ['with_only names "x"']],
  ])("refuses %s", async (_, content, expected) => {
    const { file } = await load(content);
    const found = (await problems(content)).filter((line) => line.startsWith("error"));
    expect(file).toBeNull();
    expect(found).toHaveLength(expected.length);
    expected.forEach((part, index) => expect(found[index]).toContain(part));
  });

  it("reports every problem at once, each at its place", async () => {
    const { diagnostics } = await load({
      evals: [{ id: "../x", prompt: "", expectations: [""], timeout: -1 }],
    });
    expect(diagnostics.map(({ code, at }) => [code, at?.line, at?.column])).toEqual([
      ["bmad/unsafe-id", 4, 13],
      ["bmad/blank", 5, 17],
      ["bmad/blank", 7, 9],
      ["bmad/out-of-range", 9, 18],
    ]);
  });

  it.each<[string, unknown, string[]]>([
    [
      "unknown keys",
      evals({ assertions: [] }),
      ['evals[0] has the unknown key "assertions" (did you mean "expectations"?)'],
    ],
    [
      "top-level keys",
      { ...evals({}), skil_name: "x", _x: 1 },
      ['unknown key "skil_name" (did you mean "skill_name"?)'],
    ],
    [
      "ids that differ in case",
      evals({ id: "a1" }, { id: "A1" }),
      ['the ids "a1" and "A1" differ only in case'],
    ],
    ["an empty list", { evals: [] }, ["note bmad/no-cases"]],
    [
      "missing files",
      evals({ files: ["a.md"] }),
      ['bmad/missing-file: the file "a.md" is neither in the project'],
    ],
  ])("notes %s", async (_, content, expected) => {
    const { file } = await load(content);
    const found = await problems(content);
    expect(file).not.toBeNull();
    expect(found).toHaveLength(expected.length);
    expected.forEach((part, index) => expect(found[index]).toContain(part));
  });
});

describe("the headless signal", () => {
  const silent = evals({ id: "A1", prompt: "Go" }, { id: "A2" }, { id: "A3", prompt: "Go" });

  it("is missed once a file, naming the cases", async () => {
    const { diagnostics } = await load(silent);
    expect(diagnostics).toMatchObject([
      {
        severity: "note",
        code: "bmad/no-headless-signal",
        at: { line: 5 },
        message: expect.stringMatching(/: A1, A3$/),
      },
    ]);
  });

  it("may be one of the skill's own words", async () => {
    const skill = skillWith("Ask the user.\n\n## Headless Mode\n\nSay `no questions`.\n");
    expect(await problems(evals({ prompt: "Go, no questions" }), { skill })).toEqual([]);
  });

  it("is not missed where the skill never asks", async () => {
    expect(await problems(silent, { skill: skillWith("Align the columns of a table.\n") })).toEqual([]);
  });
});

describe("cases", () => {
  it.each([
    ["an object", (entries: unknown) => ({ cases: entries })],
    ["a list", (entries: unknown) => entries],
  ])("are read from %s", async (_, wrap) => {
    const content = wrap([
      { ...CASE, state_prefix: "[mid-session]", timeout: 30 },
      { ...CASE, id: 2 },
    ]);
    const { file, diagnostics } = await load(content, { path: PLACES.cases });
    expect(diagnostics).toEqual([]);
    expect(file).toMatchObject({ dialect: "cases", skillName: null, extras: {} });
    expect(file?.cases).toMatchObject([
      {
        id: "c1",
        prompt: { kind: "turns", turns: ["[mid-session]\n\nGo headless"] },
        checks: [{ id: "rubric-1", text: "It went" }],
        settings: { timeoutSeconds: 30 },
        extras: { state_prefix: "[mid-session]" },
      },
      { id: "2", declaredId: 2, prompt: { turns: ["Go headless"] }, extras: {} },
    ]);
  });

  it("may name the skill", async () => {
    const { file } = await load({ skill: "farm", notes: "n", cases: [CASE] }, { path: PLACES.cases });
    expect(file).toMatchObject({ skillName: "farm", extras: { notes: "n" } });
  });

  it.each<[unknown, string]>([
    [
      [{ ...CASE, rubric: [{ dimension: "x", pass_if: "y" }] }],
      "[0].rubric[0] must be a string, not an object",
    ],
    [[{ ...CASE, rubric: [] }], "[0].rubric must not be empty"],
    [[{ id: "a", rubric: ["x"] }], '[0] has no "input"'],
    [{ cases: [CASE, CASE] }, 'the id "c1" is used twice'],
    [[{ ...CASE, state_prefix: 3 }], "[0].state_prefix must be a string"],
  ])("refuses %j", async (content, expected) => {
    const found = await problems(content, { path: PLACES.cases });
    expect(found).toEqual([expect.stringContaining(expected)]);
  });
});

describe("triggers.json", () => {
  const around = { path: PLACES.triggers };

  it("makes a trigger case of each query", async () => {
    const content = [
      { query: "Write a brief", should_trigger: true },
      { query: "Brainstorm", should_trigger: false, assay: { skill: "ideas" } },
    ];
    const { file, diagnostics } = await load(content, around);
    expect(diagnostics).toEqual([]);
    expect(file).toMatchObject({ dialect: "triggers", cases: [{ id: "q001" }, { id: "q002" }] });
    expect(file?.cases[0]).toMatchObject({
      kind: "trigger",
      declaredId: null,
      prompt: { kind: "turns", turns: ["Write a brief"] },
      checks: [
        {
          id: "fires",
          layer: "trigger",
          kind: "fires",
          text: "the skill fires",
          expected: true,
          skill: null,
          forbidden: [],
          appliesTo: "with-skill",
        },
      ],
    });
    expect(file?.cases[1]?.checks).toMatchObject([{ expected: false, skill: "ideas" }]);
  });

  it.each<[unknown, string]>([
    [[{ query: "x" }], '[0] has no "should_trigger"'],
    [[{ query: "x", should_trigger: "true" }], "[0].should_trigger must be true or false"],
    [[{ query: "", should_trigger: true }], "[0].query must not be blank"],
    [["x"], "[0] must be an object"],
    [[], "note bmad/no-cases"],
    [[{ query: "x", should_trigger: true, reason: "y" }], 'unknown key "reason"'],
  ])("says what is wrong with %j", async (content, expected) => {
    expect(await problems(content, around)).toEqual([expect.stringContaining(expected)]);
  });
});

describe("recognise", () => {
  const trigger = { query: "x", should_trigger: true };
  it.each<[string, unknown, string, unknown]>([
    ["evals", evals({}), PLACES.evals, { dialect: "evals", confidence: "likely" }],
    ["no evals yet", { evals: [] }, PLACES.evals, { dialect: "evals", confidence: "likely" }],
    ["cases", { cases: [CASE] }, PLACES.cases, { dialect: "cases", confidence: "certain" }],
    ["a list of cases", [CASE], PLACES.cases, { dialect: "cases", confidence: "certain" }],
    ["triggers", [trigger], PLACES.triggers, { dialect: "triggers", confidence: "certain" }],
    ["triggers of another name", [trigger], "/x/trigger-eval.json", null],
    ["triggers with prompts", [{ prompt: "x", should_trigger: true }], PLACES.triggers, null],
    ["a wrapped trigger set", { cases: [trigger] }, PLACES.triggers, null],
    ["an object of triggers", { should_trigger: ["x"] }, PLACES.triggers, null],
    ["evals of another kind", { evals: [{ task: "x" }] }, PLACES.evals, null],
    ["something else", { name: "x" }, "/x/package.json", null],
    ["a list of strings", ["x"], "/x/a.json", null],
    ["a scalar", 3, "/x/a.json", null],
  ])("%s", async (_, content, path, expected) => {
    expect((await load(content, { path })).recognised).toEqual(expected);
  });
});

describe("on disk", () => {
  let root = "";
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "bmad-load-"));
    const paths = ["evals/brief/setup/a", "evals/brief/C1/setup/b", "evals/brief/files/n.md", "docs/n.md"];
    for (const path of paths) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), "x");
    }
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it("finds overlays and fixtures, and round-trips", async () => {
    const around = { path: join(root, "evals/brief/evals.json"), projectRoot: root };
    const content = evals({ files: ["./docs/n.md", "files/n.md", "gone.md"] }, { id: "C1" });
    const { file } = await load(content, around);
    const evalsDirectory = join(root, "evals/brief");
    expect(file?.cases.map(({ overlays }) => overlays)).toEqual([
      [join(evalsDirectory, "setup")],
      [join(evalsDirectory, "setup"), join(evalsDirectory, "C1/setup")],
    ]);
    expect(file?.cases[0]?.files).toMatchObject([
      { declared: "./docs/n.md", target: "docs/n.md", source: join(root, "docs/n.md"), problem: null },
      { declared: "files/n.md", target: "files/n.md", source: join(evalsDirectory, "files/n.md") },
      { declared: "gone.md", source: null, problem: expect.stringContaining("neither") },
    ]);
    const { before, after } = await roundTrip(JSON.stringify(content), around);
    expect(after).toEqual(before);
  });
});

describe("writing", () => {
  it.each<[string, unknown, string]>([
    [
      "evals",
      {
        skill_name: "brief",
        _design_notes: ["why", 1],
        other: { a: null },
        ...evals(
          { files: ["a/b.md"], timeout: 9, expected_output: "", _pattern: "x", note: [1] },
          {
            id: 7,
            assay: { checks: [{ type: "max_turns", limit: 3 }], with_only: ["expectation-1"], _why: 1 },
          },
        ),
        assay: { checks: [{ type: "no_denied_tools" }], mcp_servers: { s: { command: "x" } } },
      },
      PLACES.evals,
    ],
    ["cases", { skill: "s", notes: "n", cases: [{ ...CASE, state_prefix: "p", _x: 1 }] }, PLACES.cases],
    ["an empty state", { cases: [{ ...CASE, state_prefix: "" }] }, PLACES.cases],
    ["a list of cases", [CASE, { ...CASE, id: 1 }], PLACES.cases],
    [
      "triggers",
      [
        { query: "a", should_trigger: true, _why: "x" },
        { query: "b", should_trigger: false, reason: "r", assay: { skill: "other", forbidden: ["third"] } },
      ],
      PLACES.triggers,
    ],
    ["no evals", { evals: [] }, PLACES.evals],
    ["no triggers", [], PLACES.triggers],
  ])("round-trips %s", async (_, content, path) => {
    const { before, after } = await roundTrip(JSON.stringify(content), { path });
    expect(after).toEqual(before);
  });

  const words = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() !== "");
  const own = fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown);
  const safeJson = own.filter((value) => !JSON.stringify(value).includes("__proto__"));
  const id = fc.oneof(
    fc.nat(),
    words.filter((name) => fileNameProblem(name) === null),
  );
  const common = {
    id,
    files: fc.array(fc.constantFrom("a.md", "b/c.md", "./d", "e/../f")),
    timeout: fc.integer({ min: 1, max: 1e6 }),
    _own: safeJson,
    unknown: safeJson,
  };
  const statements = fc.array(words, { minLength: 1, maxLength: 3 });
  const evalEntry = fc.record(
    { ...common, prompt: words, expectations: statements, expected_output: fc.string() },
    { requiredKeys: ["id", "prompt", "expectations"] },
  );
  const caseEntry = fc.record(
    { ...common, input: words, rubric: statements, state_prefix: fc.string() },
    { requiredKeys: ["id", "input", "rubric"] },
  );
  const byId = { selector: (entry: { id: unknown }) => String(entry.id), minLength: 1, maxLength: 3 };
  const trigger = fc.record(
    { query: words, should_trigger: fc.boolean(), _own: safeJson },
    { requiredKeys: ["query", "should_trigger"] },
  );

  it.each([
    [
      PLACES.evals,
      fc.record(
        { evals: fc.uniqueArray(evalEntry, byId), skill_name: words, _design_notes: safeJson },
        { requiredKeys: ["evals"] },
      ),
    ],
    [PLACES.cases, fc.uniqueArray(caseEntry, byId).map((cases) => ({ cases }))],
    [PLACES.triggers, fc.array(trigger, { minLength: 1 })],
  ])("round-trips any valid %s", async (path, content: fc.Arbitrary<unknown>) => {
    await fc.assert(
      fc.asyncProperty(content, async (value) => {
        const { before, after } = await roundTrip(JSON.stringify(value), { path });
        expect(after).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  const check = (rest: Partial<Check> & Pick<Check, "id" | "kind">): Check =>
    ({ layer: "L1", text: rest.id, appliesTo: "every-variant", origin: null, ...rest }) as Check;
  const criterion = check({ id: "expected", kind: "criterion", layer: "L3", text: "It went" });
  const foreignCase = (part: Partial<Case>): Case => ({
    ...plainCase({
      id: "001",
      declaredId: null,
      kind: "task",
      format: "skillet",
      at: { file: "/x/001.yaml", line: 1, column: 1 },
      prompt: { kind: "turns", turns: ["Go"] },
    }),
    checks: [criterion],
    ...part,
  });
  const foreign = (part: Partial<Case>, file: Partial<EvalFile> = {}): EvalFile => ({
    path: "/x/001.yaml",
    format: "skillet",
    dialect: "eval",
    skillName: null,
    description: null,
    extras: {},
    cases: [foreignCase(part)],
    ...file,
  });

  it("carries what BMad lacks in the assay key", async () => {
    const written = bmad.write(
      foreign({
        checks: [criterion, check({ id: "expectation-1", kind: "contains", needle: "a", ignoreCase: true })],
        mcpServers: { s: { command: "x" } },
        extras: { _note: 1 },
      }),
    );
    expect(written.losses).toEqual([]);
    const { file, diagnostics } = await loadText(written.text);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(file?.cases[0]?.checks).toMatchObject([
      { id: "expectation-1", kind: "criterion", text: "It went" },
      { id: "other-expectation-1", kind: "contains", needle: "a", ignoreCase: true },
    ]);
    expect(file?.cases[0]).toMatchObject({ mcpServers: { s: { command: "x" } }, extras: { _note: 1 } });
  });

  it.each<[string, Partial<Case>, Partial<EvalFile>, string[]]>([
    ["several turns", { prompt: { kind: "turns", turns: ["a", "b"] } }, {}, ["the separate turns"]],
    ["scripts", { setup: "a", teardown: "b" }, {}, ["the setup script", "the teardown script"]],
    ["names", { name: "n" }, {}, ['the name "n"']],
    ["settings", { settings: { ...NO_SETTINGS, gradingModel: "m" } }, {}, ["the setting grading_model"]],
    ["keys", { extras: { timestamp: "2025-01-01", _x: 1 } }, {}, ['the key "timestamp"']],
    ["overlays", { overlays: ["/o"] }, {}, ["the overlay directories"]],
    ["an invocation", { prompt: { kind: "invocation", args: "a" } }, {}, ["the invocation of the skill"]],
    ["inline files", { files: [{ kind: "inline", target: "a", content: "" }] }, {}, ["the inline files a"]],
    [
      "absolute files",
      { files: [{ kind: "path", declared: "/a", source: "/a", target: "a", problem: null }] },
      {},
      ['the file "/a"'],
    ],
    ["declared check ids", { checks: [{ ...criterion, id: "mine" }] }, {}, ['the check\'s id "mine"']],
    ["metadata", { checks: [{ ...criterion, origin: { text: "It went", type: "x" } }] }, {}, ["what else"]],
    ["no checks", { checks: [] }, {}, ["so a general one is added"]],
    ["only context", { checks: [], expectedOutput: "A" }, {}, ["becomes an expectation that is scored"]],
    ["file words", {}, { description: "d", extras: { version: 1 } }, ["description", 'key "version"']],
    ["output files", { output: { kind: "files", file: "a", patterns: [] } }, {}, ["the output files"]],
  ])("says what is lost: %s", async (_, part, file, expected) => {
    const written = bmad.write(foreign(part, file));
    expect(written.losses).toHaveLength(expected.length);
    expected.forEach((text, index) => expect(written.losses[index]).toContain(text));
    expect((await loadText(written.text)).file).not.toBeNull();
  });

  it("puts tasks and triggers into two files", async () => {
    const fires = check({ id: "fires", kind: "fires", layer: "trigger", appliesTo: "with-skill" });
    const asked = foreignCase({
      id: "q001",
      kind: "trigger",
      checks: [{ ...fires, expected: false, skill: "other", forbidden: [] } as Check],
    });
    const written = bmad.write(foreign({}, { cases: [foreignCase({}), asked] }));
    expect(written.losses).toEqual([]);
    expect(written.files?.map(({ name }) => name)).toEqual(["evals.json", "triggers.json"]);
    const triggers = await loadText(written.files![1]!.text, { path: PLACES.triggers });
    expect(triggers.diagnostics).toEqual([]);
    expect(triggers.file?.cases[0]?.checks).toMatchObject([{ expected: false, skill: "other" }]);
    expect((await loadText(written.text)).file?.cases).toHaveLength(1);
  });
});

describe("any input", () => {
  it.each(Object.values(PLACES))("never throws on arbitrary text in %s", async (path) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), fc.json()), async (text) => {
        expect(isAnswered(await loadText(text, { path }))).toBe(true);
      }),
    );
  });

  it("never throws on arbitrary values under known keys", async () => {
    const keys = [
      "id",
      "prompt",
      "input",
      "rubric",
      "expectations",
      "files",
      "timeout",
      "state_prefix",
      "assay",
    ];
    const more = ["expected_output", "query", "should_trigger", "expect", "assertions", "initial_input"];
    const entry = fc.dictionary(fc.constantFrom(...keys, ...more), fc.jsonValue({ maxDepth: 2 }), {
      noNullPrototype: true,
    });
    const entries = fc.array(fc.oneof(entry, fc.jsonValue({ maxDepth: 1 })), { maxLength: 3 });
    const content = fc.oneof(
      entries,
      fc.record({ evals: entries }),
      fc.record({ cases: entries }),
      fc.record({ evals: entries, cases: entries, skill_name: fc.jsonValue(), assay: fc.jsonValue() }),
    );
    await fc.assert(
      fc.asyncProperty(content, fc.constantFrom(...Object.values(PLACES)), async (value, path) => {
        expect(isAnswered(await load(value, { path }))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("real files", () => {
  const seed = join(SHARED, "seeds/bmad-eval-format.txt");
  it.skipIf(!existsSync(seed))("loads and round-trips every example of the format document", async () => {
    const document = readFileSync(seed, "utf8");
    const [whole] = /\{ "skill_name"[\s\S]*?\] *\}(?=Field)/.exec(document) ?? [];
    const [fragment] = /\{ "id": "B8"[\s\S]*?\}/.exec(document) ?? [];
    const [queries] = /\[ \{ "query"[\s\S]*?\}\](?=Field)/.exec(document) ?? [];
    // The document shows one eval alone, without its expectations, where it is about timeouts.
    const shown = { ...(JSON.parse(fragment ?? "") as object), expectations: ["The distillate exists"] };
    const examples = [
      { text: whole ?? "", path: PLACES.evals },
      { text: JSON.stringify({ evals: [shown] }), path: PLACES.evals },
      { text: queries ?? "", path: PLACES.triggers },
    ];
    for (const { text, path } of examples) {
      const { diagnostics } = await loadText(text, { path });
      expect(diagnostics.filter(({ code }) => code !== "bmad/missing-file")).toEqual([]);
      const { before, after } = await roundTrip(text, { path });
      expect(after).toEqual(before);
    }
  });

  const corpus = join(SHARED, "corpus/bmad");
  it.skipIf(!existsSync(corpus))("loads every file of the corpus or says what it is", async () => {
    const names = readdirSync(corpus);
    const outcomes = await Promise.all(
      names.map(async (name) => {
        const path = /triggers\.(?:@\w+\.)?json$/.test(name) ? PLACES.triggers : PLACES.evals;
        const text = readFileSync(join(corpus, name), "utf8");
        const { file, diagnostics, recognised } = await loadText(text, { path });
        return {
          dialect: recognised?.dialect,
          cases: file?.cases.length,
          codes: diagnostics.map(({ code }) => code),
        };
      }),
    );
    const loaded = outcomes.filter(({ cases }) => cases !== undefined);
    const refused = outcomes.filter(({ cases }) => cases === undefined);
    expect(loaded.length).toBeGreaterThan(0);
    expect(new Set(loaded.map(({ dialect }) => dialect))).toEqual(new Set(["triggers"]));
    expect(new Set(refused.map(({ dialect }) => dialect))).toEqual(
      new Set(["fragment-selection", "interview"]),
    );
    expect(new Set(refused.flatMap(({ codes }) => codes))).toEqual(new Set(["bmad/other-shape"]));
  });

  it("names the shapes of other BMad tools", async () => {
    const selection = { workflow: "w", cases: [{ id: "a", prompt: "p", expect: {}, assertions: [] }] };
    const interview = { name: "n", evals: [{ id: "a", initial_input: "x", success_criteria: ["y"] }] };
    expect(await problems(selection)).toEqual([expect.stringContaining("fragment-selection shape")]);
    expect(await problems(interview)).toEqual([expect.stringContaining("simulated person")]);
  });
});
