import { mkdtemp, readFile, writeFile, mkdir, rm } from "node:fs/promises";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCorpus } from "../../../../test/support/corpus.ts";
import { parseDocument } from "../../document.ts";
import { clauditor } from "./clauditor.ts";
import { loadSpecValue, loadText, withoutPlaces } from "./fixtures/load-text.ts";

const FULL = fileURLToPath(new URL("fixtures/full.eval.json", import.meta.url));

let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "clauditor-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** A path in a directory that holds every input file the text names. */
async function pathWithInputs(text: string, name: string): Promise<string> {
  const path = join(directory, name);
  const { input_files: inputs = [] } = JSON.parse(text) as { input_files?: string[] };
  for (const file of inputs) {
    await mkdir(dirname(join(dirname(path), file)), { recursive: true });
    await writeFile(join(dirname(path), file), "a,b\n");
  }
  return path;
}

async function expectRoundTrip(text: string, path: string): Promise<void> {
  const first = await loadText(text, { path });
  expect(first.lines.filter((line) => line.includes(" error "))).toEqual([]);
  const written = clauditor.write(first.file!);
  const second = await loadText(written.text, { path });
  expect(written.losses).toEqual([]);
  expect(withoutPlaces(second.file)).toEqual(withoutPlaces(first.file));
}

function recognised(value: unknown, path = "/x/y.json"): string | null {
  const document = parseDocument(path, JSON.stringify(value), () => {});
  return document === null ? null : (clauditor.recognise(document)?.confidence ?? null);
}

describe("clauditor recognises", () => {
  it.each([
    [{ test_args: "" }],
    [{ grading_criteria: ["old style"] }],
    [{ trigger_tests: { should_trigger: [] } }],
    [{ assertions: [{ type: "has_urls", value: "3" }] }],
    [{ sections: [{ name: "A", tiers: [] }] }],
    [{ sections: [{ name: "A", fields: [] }] }],
    [{ skill_name: "a", grade_thresholds: {} }],
    [{ allow_hang_heuristic: false }],
  ])("%j by its content", (value) => {
    expect(recognised(value)).toBe("certain");
  });

  it.each([
    [{}, "likely"],
    [{ skill_name: "a", description: "b" }, "likely"],
    [{ system_prompt: "You are careful." }, "likely"],
    [{ score: null, version: "1.0", graded_at: null }, null],
    [{ skill_name: "a", evals: [] }, null],
    [{ cases: [], test_args: "" }, null],
    [[], null],
  ])("%j in a file of its name as %s", (value, confidence) => {
    expect(recognised(value, "/x/SKILL.eval.json")).toBe(confidence);
    expect(recognised(value, "/x/eval.json")).toBe(confidence);
  });

  it.each([
    [{}],
    [{ skill_name: "a", description: "b" }],
    [{ assertions: ["says hello"] }],
    [{ assertions: [{ type: "llm-rubric", value: "polite" }] }],
    [{ should_trigger: ["a"], should_not_trigger: [] }],
    [{ sections: ["intro"] }],
    [[{ query: "a", should_trigger: true }]],
    ["text"],
    [null],
  ])("nothing of its own in %j", (value) => {
    expect(recognised(value)).toBeNull();
  });
});

describe("clauditor loads", () => {
  it("every field of a full file", async () => {
    const text = await readFile(FULL, "utf8");
    const path = await pathWithInputs(text, "full/full.eval.json");
    const { file, lines } = await loadText(text, { path });
    expect(lines).toEqual([]);
    expect(file).toMatchObject({
      format: "clauditor",
      dialect: "spec",
      skillName: "find-cafes",
      description: "Finds cafés near a place",
      extras: { _owner: "maps team" },
    });
    const [task, ...triggers] = file!.cases;
    expect(task).toMatchObject({
      id: "find-cafes",
      kind: "task",
      prompt: { kind: "invocation", args: '"Lisbon" --count 5' },
      output: { kind: "files", file: "out/cafes.md", patterns: ["out/*.md", "out/*.json"] },
      settings: {
        timeoutSeconds: 900,
        harness: "codex",
        transport: "api",
        gradingProvider: "openai",
        gradingModel: "in-house-judge",
        gradeThresholds: { minPassRate: 0.7, minMeanScore: 0.5 },
        variance: { runs: 4, minStability: 0.75 },
        syncTasks: true,
        allowHangHeuristic: false,
        systemPrompt: "Prefer primary sources.",
        userPrompt: "Which cafés in Lisbon are good?",
      },
    });
    expect(task!.files).toMatchObject([{ declared: "data/places.csv", target: "places.csv", problem: null }]);
    expect(task!.checks.map(({ id, layer, text }) => [id, layer, text])).toEqual([
      ["title", "L1", "Has a title"],
      ["no_error", "L1", 'the output does not contain "Error"'],
      ["numbered", "L1", String.raw`the output matches /\*\*\d+\./`],
      ["bullets", "L1", "the output matches /^- / at least 3 times"],
      ["long", "L1", "the output has at least 500 characters"],
      ["short", "L1", "the output has at most 5000 characters"],
      ["urls", "L1", "the output has at least 1 URLs"],
      ["entries", "L1", "the output has at least 3 numbered entries"],
      ["live", "L1", "the output has at least 2 reachable URLs"],
      ["phones", "L1", "the output has phone_intl at least 2 times"],
      ["codes", "L1", String.raw`the output has [A-Z]{3}-\d+ at least once`],
      ["entries:Cafés/near", "L2", "Cafés (near) has 1 to 3 entries"],
      ["entries:Cafés/far", "L2", "Cafés (far) has at most 1 entry"],
      ["cafe_name", "L2", 'every entry of Cafés (near) has "name"'],
      ["cafe_phone", "L2", '"phone" in Cafés (near), where given in the format phone_intl'],
      ["cafe_zip", "L2", String.raw`every entry of Cafés (far) has "zip", in the format ^\d{4}-\d{3}$`],
      ["distance", "L3", "Are all cafés within walking distance?"],
      ["tone", "L3", "Is the tone friendly?"],
      ["file_exists:out/cafes.md", "L1", "the file out/cafes.md exists"],
    ]);
    expect(triggers.map(({ id, kind, prompt }) => [id, kind, prompt])).toEqual([
      ["should-trigger-1", "trigger", { kind: "turns", turns: ["Find a café"] }],
      ["should-not-trigger-1", "trigger", { kind: "turns", turns: ["What is the weather?"] }],
    ]);
    expect(triggers[1]!.checks).toMatchObject([
      { id: "fires", layer: "trigger", kind: "fires", expected: false },
    ]);
    expect(triggers[0]!.at).toMatchObject({ line: 78, column: 24 });
    expect(triggers[0]!.settings).toMatchObject({ harness: "codex", timeoutSeconds: null, variance: null });
    await expectRoundTrip(text, path);
  });

  it.each([
    ["/a/b/SKILL.eval.json", "b"],
    ["/a/b/eval.json", "b"],
    ["/a/b/find-cafes.eval.json", "find-cafes"],
    ["/a/b/spec.json", "spec"],
    ["/SKILL.eval.json", "SKILL"],
  ])("%s as the file of the skill %s when it names none", async (path, name) => {
    const { file } = await loadSpecValue({ test_args: "x" }, { path });
    expect(file).toMatchObject({ skillName: name, cases: [{ id: name }] });
  });

  it.each([
    ["plugin:skill", "plugin-skill"],
    ["Find Cafés", "Find Cafés"],
    ["nul", "task"],
    ["???", "task"],
    [`a${"é".repeat(100)}`, `a${"é".repeat(39)}`],
  ])("the skill name %s as the case %s", async (name, id) => {
    const { file } = await loadSpecValue({ skill_name: name, test_args: "x" });
    expect(file?.cases.map((each) => each.id)).toEqual([id]);
  });

  it("null as left out where the document says so, and defaults as nothing said", async () => {
    const nothing = await loadSpecValue({ skill_name: "a" });
    const spelled = await loadSpecValue({
      skill_name: "a",
      description: null,
      test_args: null,
      user_prompt: null,
      system_prompt: null,
      input_files: [],
      assertions: [],
      sections: [],
      output_file: null,
      output_files: [],
      grading_criteria: [],
      grading_model: null,
      grading_provider: null,
      transport: "auto",
      harness: "auto",
      grade_thresholds: null,
      trigger_tests: null,
      variance: null,
      timeout: null,
      allow_hang_heuristic: true,
      sync_tasks: false,
    });
    expect(spelled.lines).toEqual([]);
    expect(withoutPlaces(spelled.file)).toEqual(withoutPlaces(nothing.file));
    expect(JSON.parse(clauditor.write(spelled.file!).text)).toEqual({ skill_name: "a" });
  });

  it("a file of trigger queries alone without a task", async () => {
    const { file } = await loadSpecValue({ trigger_tests: { should_trigger: ["a"] }, harness: "codex" });
    expect(file?.cases.map((each) => each.kind)).toEqual(["trigger"]);
    await expectRoundTrip(clauditor.write(file!).text, file!.path);
  });

  it("a task beside trigger queries as soon as something is said about it", async () => {
    const { file } = await loadSpecValue({ trigger_tests: { should_trigger: ["a"] }, timeout: 5 });
    expect(file?.cases.map((each) => each.kind)).toEqual(["task", "trigger"]);
  });

  it("a made-up id next to one that an author has chosen", async () => {
    const sections = [{ name: "A", tiers: [{ label: "b", min_entries: 1 }] }];
    const { file } = await loadSpecValue({
      sections,
      grading_criteria: [{ id: "entries:A/b", criterion: "c" }],
    });
    expect(file?.cases[0]?.checks.map((check) => check.id)).toEqual(["entries:A/b#", "entries:A/b"]);
  });

  it("the skill's own name over the file's, with a note", async () => {
    const skill = {
      name: "real",
      layout: "directory",
      file: "/s/SKILL.md",
      root: "/s",
      description: null,
      frontmatter: {},
      body: "",
    } as const;
    const other = await loadSpecValue({ skill_name: "copied", test_args: "" }, { skill });
    const same = await loadSpecValue({ skill_name: "real", test_args: "" }, { skill });
    expect(other.lines).toEqual([
      '1:15 note clauditor/other-skill: skill_name is "copied" but the skill under test is "real"',
    ]);
    expect(same.lines).toEqual([]);
  });
});

describe("the format document", () => {
  it("is right about its bullets: ^ matches at every line in min_count", async () => {
    const { file } = await loadSpecValue({
      assertions: [{ id: "three_bullets", type: "min_count", pattern: "^- ", count: 3 }],
    });
    expect(file?.cases[0]?.checks).toMatchObject([{ kind: "min_count", pattern: "^- ", count: 3 }]);
  });
});

describeCorpus("the format document's examples", "seeds/clauditor-eval-spec.txt", (seed) => {
  it("all load and come back whole", async () => {
    const examples = jsonBlocks(readFileSync(seed, "utf8"));
    expect(examples).toHaveLength(5);
    for (const [index, text] of examples.entries()) {
      await expectRoundTrip(text, await pathWithInputs(text, `example-${index}/my-skill.eval.json`));
    }
  });
});

describeCorpus("files of the wild", "corpus/clauditor", (corpus) => {
  const names = existsSync(corpus) ? readdirSync(corpus).filter((name) => name.endsWith(".json")) : [];
  const texts = names.map((name) => [name, readFileSync(join(corpus, name), "utf8")] as const);
  const isOld = (text: string) => /"value":/.test(text);

  it("are all recognised", () => {
    const unknown = texts.filter(([, text]) => recognised(JSON.parse(text)) !== "certain");
    expect(unknown).toEqual([]);
  });

  it("load and come back whole in today's shape", async () => {
    const today = texts.filter(([, text]) => !isOld(text));
    expect(today.length).toBeGreaterThan(1);
    for (const [name, text] of today)
      await expectRoundTrip(text, await pathWithInputs(text, `${name}/SKILL.eval.json`));
  });

  it("get every error with a hint in the old shape", async () => {
    const old = texts.filter(([, text]) => isOld(text));
    expect(old.length).toBeGreaterThan(3);
    for (const [name, text] of old) {
      const { file, lines } = await loadText(text, {
        path: await pathWithInputs(text, `${name}/a.eval.json`),
      });
      expect(file).toBeNull();
      const values = text.match(/"value":/g) ?? [];
      expect(lines.filter((line) => /unknown key "value" \(did you mean "/.test(line))).toHaveLength(
        values.length,
      );
    }
  });
});

describe("clauditor writes", () => {
  it("what only Assay has words for under its own key, and reads it back", async () => {
    const spec = {
      assertions: [{ id: "a", type: "contains", needle: "x" }],
      assay: {
        checks: [{ type: "tool_called", tool: "Bash" }],
        with_only: ["a"],
        reference: { output: "x" },
        mcp_servers: { db: { command: "db" } },
      },
    };
    await expectRoundTrip(JSON.stringify(spec), "/specs/demo.eval.json");
    const { file } = await loadSpecValue(spec);
    expect(file?.cases[0]).toMatchObject({
      checks: [
        { id: "a", appliesTo: "with-skill" },
        { kind: "tool_called", tool: "Bash" },
      ],
      reference: { output: "x" },
      mcpServers: { db: { command: "db" } },
    });
  });

  it("unknown keys at every level", async () => {
    const spec = {
      _why: 1,
      owner: "me",
      assertions: [{ id: "a", type: "contains", needle: "x", name: "A", _why: 2 }],
      sections: [
        {
          name: "S",
          order: 1,
          tiers: [{ label: "t", weight: 2, fields: [{ id: "f", name: "f", unit: "kg", format: null }] }],
        },
      ],
      grading_criteria: [{ id: "c", criterion: "good?", weight: 3 }],
      grade_thresholds: { min_pass_rate: 1, strict: true },
      variance: { _seed: 1 },
      trigger_tests: { _from: "logs", should_trigger: ["q"] },
    };
    await expectRoundTrip(JSON.stringify(spec), "/specs/demo.eval.json");
    const { lines } = await loadSpecValue(spec);
    expect(
      lines.map((line) => line.replace(/^\d+:\d+ (.*?) has the unknown.*? key ("\w+").*$/, "$1 $2")),
    ).toEqual([
      'note clauditor/unknown-key: sections[0].tiers[0].fields[0] "unit"',
      'note clauditor/unknown-key: sections[0].tiers[0] "weight"',
      'note clauditor/unknown-key: sections[0] "order"',
      'note clauditor/unknown-key: grading_criteria[0] "weight"',
      'note clauditor/unknown-key: grade_thresholds "strict"',
      'note clauditor/unknown-key: the file "owner"',
    ]);
  });

  it("keys in the order of the document, with defaults left out", async () => {
    const { file } = await loadSpecValue({
      sync_tasks: true,
      assertions: [{ count: 1, type: "has_urls", id: "u" }],
      skill_name: "a",
      test_args: "x",
    });
    expect(clauditor.write(file!).text).toMatchInlineSnapshot(`
      "{
        "skill_name": "a",
        "test_args": "x",
        "assertions": [
          {
            "id": "u",
            "type": "has_urls"
          }
        ],
        "sync_tasks": true
      }
      "
    `);
  });
});

describe("clauditor's schema", () => {
  it("is made of the shapes that read", () => {
    const schema = clauditor.schemas["spec"] as {
      properties: Record<string, { items?: { anyOf?: unknown[] } }>;
    };
    expect(schema.properties["assertions"]?.items?.anyOf).toHaveLength(10);
    expect(Object.keys(schema.properties)).toContain("grading_provider");
  });
});

/** The JSON objects that stand on lines of their own in a text. */
function jsonBlocks(text: string): string[] {
  return [...text.matchAll(/^\{\n[\s\S]*?^\}$/gm)].map((match) => match[0]);
}
