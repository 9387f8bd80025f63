import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { clauditor } from "./clauditor.ts";
import { loadSpecValue, loadText, withoutPlaces } from "./fixtures/load-text.ts";
import { pathWithInputs, expectRoundTrip } from "./fixtures/spec-files.ts";

const FULL = fileURLToPath(new URL("fixtures/full.eval.json", import.meta.url));

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
