import { describe, expect, it } from "vitest";
import { said } from "./fixtures/rules.ts";

describe("top-level fields", () => {
  it.each<[unknown, readonly string[]]>([
    [[], ["error: the file must be an object, not a list"]],
    [{ skill_name: 3 }, ["error: skill_name must be a string, not the number 3"]],
    [{ skill_name: " " }, ["error: skill_name must not be blank"]],
    [{ skill_name: "../../evil" }, ['error: skill_name must be a name, not a path: "../../evil"']],
    [{ skill_name: ".hidden" }, ['error: skill_name must be a name, not a path: ".hidden"']],
    [{ description: [] }, ["error: description must be a string, not a list"]],
    [{ test_args: ["a"] }, ["error: test_args must be a string, not a list"]],
    [{ user_prompt: "" }, ["error: user_prompt must not be blank"]],
    [{ user_prompt: 1 }, ["error: user_prompt must be a string, not the number 1"]],
    [{ system_prompt: " \n" }, ["error: system_prompt must not be blank"]],
    [{ grading_model: "" }, ["error: grading_model must not be blank"]],
    [{ grading_model: true }, ["error: grading_model must be a string, not true"]],
    [{ transport: null }, ['error: transport must be one of "api", "cli", "auto", not null']],
    [
      { transport: "API" },
      ['error: transport must be one of "api", "cli", "auto", not "API" (did you mean "api"?)'],
    ],
    [{ harness: null }, ['error: harness must be one of "claude-code", "codex", "auto", not null']],
    [{ harness: "claude" }, ['error: harness must be one of "claude-code", "codex", "auto", not "claude"']],
    [
      { grading_provider: "google" },
      ['error: grading_provider must be one of "anthropic", "openai", "auto", not "google"'],
    ],
    [{ timeout: 0 }, ["error: timeout must be at least 1, not 0"]],
    [{ timeout: true }, ["error: timeout must be an integer, not true"]],
    [{ timeout: "5" }, ['error: timeout must be an integer, not the string "5" (write 5 without quotes)']],
    [{ timeout: 1.5 }, ["error: timeout must be an integer, not the number 1.5"]],
    [{ sync_tasks: null }, ["error: sync_tasks must be true or false, not null"]],
    [{ sync_tasks: "true" }, ['error: sync_tasks must be true or false, not the string "true"']],
    [{ allow_hang_heuristic: 0 }, ["error: allow_hang_heuristic must be true or false, not the number 0"]],
    [{ assertions: null }, ["error: assertions must be a list, not null"]],
    [{ sections: {} }, ["error: sections must be a list, not an object"]],
    [{ output_files: "a.md" }, ['error: output_files must be a list, not the string "a.md"']],
    [{ output_files: [1] }, ["error: output_files[0] must be a string, not the number 1"]],
    [{ input_files: "a.csv" }, ['error: input_files must be a list, not the string "a.csv"']],
    [{ input_files: [""] }, ["error: input_files[0] must not be blank"]],
    [
      { trigger_test: {} },
      ['note: the file has the unknown key "trigger_test" (did you mean "trigger_tests"?)'],
    ],
    [{ model: "x" }, ['note: the file has the unknown key "model" (did you mean "grading_model"?)']],
    [{ _note: 1 }, []],
  ])("%j", async (spec, expected) => {
    expect(await said(spec)).toEqual(expected);
  });
});

describe("triggers", () => {
  it.each<[unknown, readonly string[]]>([
    [{ trigger_tests: [] }, ["error: trigger_tests must be an object, not a list"]],
    [
      { trigger_tests: { should_trigger: "q" } },
      ['error: trigger_tests.should_trigger must be a list, not the string "q"'],
    ],
    [
      { trigger_tests: { should_trigger: [1] } },
      ["error: trigger_tests.should_trigger[0] must be a string, not the number 1"],
    ],
    [
      { trigger_tests: { should_not_trigger: [""] } },
      ["error: trigger_tests.should_not_trigger[0] must not be blank"],
    ],
    [
      { trigger_tests: { should_trigger: ["q"], should_not_trigger: ["r", " q "] } },
      ['error: the query " q " is in should_trigger and in should_not_trigger'],
    ],
    [
      { trigger_tests: { shouldTrigger: ["q"] } },
      ['note: trigger_tests has the unknown key "shouldTrigger" (did you mean "should_trigger"?)'],
    ],
  ])("%j", async (spec, expected) => {
    expect(await said(spec)).toEqual(expected);
  });
});

describe("output paths", () => {
  it.each<[unknown, readonly string[]]>([
    [{ output_file: "out/a.md", output_files: ["out/*.md", "**/*.json"] }, []],
    [{ output_file: "out/../a.md" }, []],
    [{ output_file: 3 }, ["error: output_file must be a string, not the number 3"]],
    [{ output_file: "" }, ["error: output_file must not be blank"]],
    [
      { output_file: "/etc/passwd" },
      [
        'error: output_file is absolute: "/etc/passwd" (give a path relative to the directory the skill works in)',
      ],
    ],
    [
      { output_files: ["a.md", "../*.md"] },
      [
        'error: output_files[1] leaves its root by "..": "../*.md" (give a path relative to the directory the skill works in)',
      ],
    ],
    [
      { output_files: ["~/a.md"] },
      [
        'error: output_files[0] starts in a home directory: "~/a.md" (give a path relative to the directory the skill works in)',
      ],
    ],
  ])("%j", async (spec, expected) => {
    expect(await said(spec)).toEqual(expected);
  });
});
