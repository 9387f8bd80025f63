import { describe, expect, it } from "vitest";
import { loadSpecValue, loadText } from "./fixtures/load-text.ts";

/** What is said about a spec, without places and codes. */
async function said(spec: unknown): Promise<readonly string[]> {
  const { file, lines, diagnostics } = await loadSpecValue(spec);
  const failed = diagnostics.some((diagnostic) => diagnostic.severity === "error");
  expect(file === null).toBe(failed);
  return lines.map((line) => line.replace(/^\d+:\d+ (error|note) [\w/-]+: /, "$1: "));
}

function assertion(rest: Record<string, unknown>): unknown {
  return { assertions: [{ id: "a", ...rest }] };
}

function field(rest: Record<string, unknown>): unknown {
  return { sections: [{ name: "S", tiers: [{ label: "t", fields: [{ id: "f", name: "n", ...rest }] }] }] };
}

function tier(rest: Record<string, unknown>): unknown {
  return { sections: [{ name: "S", tiers: [{ label: "t", ...rest }] }] };
}

const FORMATS =
  "currency_eur, currency_usd, date_iso, date_us, domain, email, hex_color, ipv4, latitude, longitude, percentage, phone_intl, phone_us, star_rating, time_12h, time_24h, url, uuid, zip_uk, zip_us";

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

describe("shares and counts", () => {
  it.each<[unknown, readonly string[]]>([
    [
      { grade_thresholds: { min_pass_rate: 2 } },
      ["error: grade_thresholds.min_pass_rate must be between 0 and 1, not 2"],
    ],
    [
      { grade_thresholds: { min_mean_score: -0.1 } },
      ["error: grade_thresholds.min_mean_score must be between 0 and 1, not -0.1"],
    ],
    [
      { grade_thresholds: { min_pass_rate: "high" } },
      ['error: grade_thresholds.min_pass_rate must be a number, not the string "high"'],
    ],
    [
      { grade_thresholds: { min_pass_rate: true } },
      ["error: grade_thresholds.min_pass_rate must be a number, not true"],
    ],
    [{ grade_thresholds: { min_pass_rate: 0, min_mean_score: 1 } }, []],
    [
      { grade_thresholds: { pass_rate: 1 } },
      ['note: grade_thresholds has the unknown key "pass_rate" (did you mean "min_pass_rate"?)'],
    ],
    [{ grade_thresholds: [] }, ["error: grade_thresholds must be an object, not a list"]],
    [{ variance: { n_runs: 0 } }, ["error: variance.n_runs must be at least 1, not 0"]],
    [{ variance: { n_runs: 2.5 } }, ["error: variance.n_runs must be an integer, not the number 2.5"]],
    [
      { variance: { min_stability: 1.1 } },
      ["error: variance.min_stability must be between 0 and 1, not 1.1"],
    ],
    [{ variance: 5 }, ["error: variance must be an object, not the number 5"]],
    [tier({ min_entries: -1 }), ["error: sections[0].tiers[0].min_entries must be at least 0, not -1"]],
    [
      tier({ min_entries: "2" }),
      [
        'error: sections[0].tiers[0].min_entries must be an integer, not the string "2" (write 2 without quotes)',
      ],
    ],
    [
      tier({ min_entries: 3, max_entries: 2 }),
      ["error: sections[0].tiers[0] allows at most 2 entries but asks for at least 3"],
    ],
    [tier({ min_entries: 2, max_entries: 2 }), []],
    [
      assertion({ type: "min_length", length: -1 }),
      ["error: assertions[0].length must be at least 0, not -1"],
    ],
    [assertion({ type: "has_urls", count: -1 }), ["error: assertions[0].count must be at least 0, not -1"]],
    [
      assertion({ type: "has_urls", count: null }),
      ["error: assertions[0].count must be an integer, not null"],
    ],
    [
      assertion({ type: "has_urls", count: true }),
      ["error: assertions[0].count must be an integer, not true"],
    ],
  ])("%j", async (spec, expected) => {
    expect(await said(spec)).toEqual(expected);
  });

  it("tells 2.0 and 2e0 from 2", async () => {
    const text =
      '{"assertions":[{"id":"a","type":"has_urls","count":2.0},{"id":"b","type":"has_urls","count":2e0}]}';
    const { lines } = await loadText(text);
    expect(lines).toEqual([
      "1:52 error clauditor/wrong-type: assertions[0].count must be an integer, not the float 2.0",
      "1:93 error clauditor/wrong-type: assertions[1].count must be an integer, not the float 2.0",
    ]);
  });
});

describe("assertions", () => {
  const drift: readonly [string, Record<string, unknown>, string, string][] = [
    ["contains", {}, "value", "needle"],
    ["contains", {}, "pattern", "needle"],
    ["not_contains", {}, "value", "needle"],
    ["not_contains", {}, "pattern", "needle"],
    ["regex", {}, "value", "pattern"],
    ["min_count", { count: 1 }, "value", "pattern"],
  ];
  it.each(drift)("%s %j: %s is meant to be %s", async (type, rest, wrong, right) => {
    expect(await said(assertion({ type, ...rest, [wrong]: "x" }))).toEqual([
      `error: assertions[0] has the unknown key "${wrong}" (did you mean "${right}"?)`,
    ]);
  });

  const counted: readonly [string, Record<string, unknown>, string, string][] = [
    ...["minimum", "min_count", "threshold"].map(
      (wrong): [string, Record<string, unknown>, string, string] => [
        "min_count",
        { pattern: "x" },
        wrong,
        "count",
      ],
    ),
    ...["has_urls", "has_entries", "urls_reachable"].flatMap((type) =>
      ["value", "minimum", "min_count", "threshold"].map(
        (wrong): [string, Record<string, unknown>, string, string] => [type, {}, wrong, "count"],
      ),
    ),
    ...["value", "minimum", "min_count"].map((wrong): [string, Record<string, unknown>, string, string] => [
      "has_format",
      { format: "url" },
      wrong,
      "count",
    ]),
    ["min_length", {}, "value", "length"],
    ["min_length", {}, "min", "length"],
    ["max_length", {}, "value", "length"],
    ["max_length", {}, "max", "length"],
  ];
  it.each(counted)("%s %j: %s is meant to be %s, and no text", async (type, rest, wrong, right) => {
    expect(await said(assertion({ type, ...rest, [wrong]: "3" }))).toEqual([
      `error: assertions[0] has the unknown key "${wrong}" (did you mean "${right}"?)`,
      `error: assertions[0].${right} must be an integer, not the string "3" (write 3 without quotes)`,
    ]);
  });

  it.each<[unknown, readonly string[]]>([
    [{ assertions: ["x"] }, ['error: assertions[0] must be an object, not the string "x"']],
    [{ assertions: [{ type: "has_urls" }] }, ['error: assertions[0] has no "id", which is required']],
    [assertion({ type: "has_urls", id: 3 }), ["error: assertions[0].id must be a string, not the number 3"]],
    [assertion({ type: "has_urls", id: " " }), ["error: assertions[0].id must not be blank"]],
    [
      assertion({}),
      [
        'error: assertions[0] has no "type", which is required (one of contains, not_contains, regex, min_count, min_length, max_length, has_urls, has_entries, urls_reachable, has_format)',
      ],
    ],
    [
      assertion({ type: "contain", needle: "x" }),
      ['error: assertions[0].type is "contain", which is not known (did you mean "contains"?)'],
    ],
    [assertion({ type: 1 }), ["error: assertions[0].type must be a string"]],
    [assertion({ type: "contains" }), ['error: assertions[0] has no "needle", which is required']],
    [
      assertion({ type: "contains", needle: 5 }),
      ["error: assertions[0].needle must be a string, not the number 5"],
    ],
    [
      assertion({ type: "contains", needle: "x", pattern: "y" }),
      ['error: assertions[0] has the unknown key "pattern" (did you mean "needle"?)'],
    ],
    [
      assertion({ type: "contains", needle: "x", weight: 2 }),
      ['error: assertions[0] has the unknown key "weight" (known keys: id, type, name, needle)'],
    ],
    [
      assertion({ type: "contains", nedle: "x" }),
      [
        'error: assertions[0] has no "needle", which is required',
        'error: assertions[0] has the unknown key "nedle" (did you mean "needle"?)',
      ],
    ],
    [assertion({ type: "contains", needle: "x", _why: 1, name: null }), []],
    [
      assertion({ type: "contains", needle: "" }),
      ["note: assertions[0].needle decides nothing: an empty needle is in every output"],
    ],
    [
      assertion({ type: "regex", pattern: "" }),
      ["note: assertions[0].pattern decides nothing: an empty pattern matches everything"],
    ],
    [
      assertion({ type: "regex", pattern: "a(b" }),
      [
        "error: assertions[0].pattern is not a regular expression: a ( is never closed (at character 2 of the pattern; Python's spelling is expected)",
      ],
    ],
    [
      assertion({ type: "min_count", pattern: "[", count: 1 }),
      [
        "error: assertions[0].pattern is not a regular expression: a [ is never closed (at character 1 of the pattern; Python's spelling is expected)",
      ],
    ],
    [assertion({ type: "regex", pattern: "(?P<n>a)(?P=n)\\Z" }), []],
    [assertion({ type: "min_count", pattern: "a", count: 0 }), []],
  ])("%j", async (spec, expected) => {
    expect(await said(spec)).toEqual(expected);
  });
});

describe("formats", () => {
  it.each<[unknown, readonly string[]]>([
    [field({ format: "phone_us" }), []],
    [field({ format: null }), []],
    [field({ format: "^\\d{5}$" }), []],
    [field({ format: "" }), ["error: sections[0].tiers[0].fields[0].format must not be blank"]],
    [
      field({ format: 5 }),
      ["error: sections[0].tiers[0].fields[0].format must be a string, not the number 5"],
    ],
    [
      field({ format: "phone_uss" }),
      [
        'note: sections[0].tiers[0].fields[0].format is no registered format, so "phone_uss" is taken as a regular expression (did you mean "phone_us"?)',
      ],
    ],
    [
      field({ format: "Phone-US" }),
      [
        'note: sections[0].tiers[0].fields[0].format is no registered format, so "Phone-US" is taken as a regular expression (did you mean "phone_us"?)',
      ],
    ],
    [
      field({ format: "telephone" }),
      [
        `note: sections[0].tiers[0].fields[0].format is no registered format, so "telephone" is taken as a regular expression (registered: ${FORMATS})`,
      ],
    ],
    [
      field({ format: "\\d{5(" }),
      [
        "error: sections[0].tiers[0].fields[0].format is not a regular expression: a ( is never closed (at character 5 of the pattern; Python's spelling is expected)",
      ],
    ],
    [
      assertion({ type: "has_format", format: "emial" }),
      [
        'note: assertions[0].format is no registered format, so "emial" is taken as a regular expression (did you mean "email"?)',
      ],
    ],
    [
      field({ pattern: "\\d+" }),
      [
        'error: sections[0].tiers[0].fields[0] has the unknown key "pattern" (did you mean "format"? It takes a regular expression too)',
      ],
    ],
    [
      field({ required: "yes" }),
      ['error: sections[0].tiers[0].fields[0].required must be true or false, not the string "yes"'],
    ],
  ])("%j", async (spec, expected) => {
    expect(await said(spec)).toEqual(expected);
  });
});

describe("sections and criteria", () => {
  it.each<[unknown, readonly string[]]>([
    [{ sections: [{ name: "S" }] }, ['error: sections[0] has no "tiers", which is required']],
    [{ sections: [{ tiers: [] }] }, ['error: sections[0] has no "name", which is required']],
    [
      { sections: [{ name: "S", tiers: [{}] }] },
      ['error: sections[0].tiers[0] has no "label", which is required'],
    ],
    [{ sections: ["S"] }, ['error: sections[0] must be an object, not the string "S"']],
    [
      { sections: [{ name: "S", min_entries: 2, fields: [{ name: "n" }] }] },
      [
        'error: sections[0].fields[0] has no "id", which is required',
        'error: sections[0] has its fields outside of tiers (write "tiers": [{"label": "default", "fields": [...]}], with min_entries inside the tier)',
      ],
    ],
    [
      { grading_criteria: ["Are all venues within the distance?"] },
      [
        'error: grading_criteria[0] must be an object, not a string (write {"id": "venues_within_distance", "criterion": "Are all venues within the distance?"})',
      ],
    ],
    [
      { grading_criteria: [{ id: "c" }] },
      ['error: grading_criteria[0] has no "criterion", which is required'],
    ],
    [
      { grading_criteria: [{ id: "c", criterion: " " }] },
      ["error: grading_criteria[0].criterion must not be blank"],
    ],
    [
      { grading_criteria: [{ criterion: "x" }] },
      ['error: grading_criteria[0] has no "id", which is required'],
    ],
  ])("%j", async (spec, expected) => {
    expect(await said(spec)).toEqual(expected);
  });
});

describe("names", () => {
  it("are unique across all three layers, and every clash is named with both places", async () => {
    const spec = {
      assertions: [
        { id: "x", type: "has_urls" },
        { id: "x", type: "has_entries" },
      ],
      sections: [{ name: "S", tiers: [{ label: "t", fields: [{ id: "x", name: "n" }] }] }],
      grading_criteria: [
        { id: "y", criterion: "good?" },
        { id: "x", criterion: "good?" },
      ],
    };
    expect(await said(spec)).toEqual([
      'error: the id "x" of assertions[1] is already used by assertions[0]',
      'error: the id "x" of sections[0].tiers[0].fields[0] is already used by assertions[0]',
      'error: the id "x" of grading_criteria[1] is already used by assertions[0]',
    ]);
  });

  it("tell sections and tiers apart", async () => {
    const tiers = [{ label: "t" }, { label: "t" }];
    expect(
      await said({
        sections: [
          { name: "S", tiers },
          { name: "S", tiers: [] },
          { name: "T", tiers: [{ label: "t" }] },
        ],
      }),
    ).toEqual([
      'error: the section name "S" of sections[1] is already used by sections[0]',
      'error: the tier label "t" of sections[0].tiers[1] is already used by sections[0].tiers[0]',
    ]);
  });

  it("are compared even where an entry is wrong otherwise", async () => {
    const spec = { assertions: [{ id: "x" }], grading_criteria: [{ id: "x", criterion: "good?" }] };
    expect((await said(spec)).at(-1)).toBe(
      'error: the id "x" of grading_criteria[0] is already used by assertions[0]',
    );
  });
});

describe("grading models", () => {
  it.each([
    [{ grading_model: "claude-opus-4-1" }],
    [{ grading_model: "gpt-5.4-mini", grading_provider: "auto" }],
    [{ grading_model: "o4-mini", grading_provider: null }],
    [{ grading_model: "llama3", grading_provider: "openai" }],
  ])("%j", async (spec) => {
    expect(await said(spec)).toEqual([]);
  });

  it.each([[{ grading_model: "llama3" }], [{ grading_model: "llama3", grading_provider: "auto" }]])(
    "%j",
    async (spec) => {
      expect(await said(spec)).toEqual([
        'note: grading_model "llama3" does not tell which provider has it: known are claude-*, gpt-* and o<digit>* (set "grading_provider" to "anthropic" or "openai", or give --grading-provider)',
      ]);
    },
  );
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

it("reports everything at once, each at its place", async () => {
  const text = `{
  "skill_name": "a/b",
  "timeout": "5",
  "assertions": [
    {"type": "contains", "value": "Venues"},
    {"id": "x", "type": "has_entries", "value": "3"}
  ],
  "input_files": ["missing.csv"],
  "grading_criteria": [{"id": "x", "criterion": "good?"}],
  "grading_model": "llama3"
}`;
  const { file, lines } = await loadText(text);
  expect(file).toBeNull();
  expect(lines.map((line) => line.replace(/: .*$/, ""))).toEqual([
    "2:17 error clauditor/bad-skill-name",
    "5:26 error clauditor/unknown-key",
    "5:5 error clauditor/missing-key",
    "6:40 error clauditor/unknown-key",
    "6:49 error clauditor/wrong-type",
    "3:14 error clauditor/wrong-type",
    "10:20 note clauditor/unknown-model",
    "9:31 error clauditor/duplicate-id",
    "8:19 error clauditor/bad-input-file",
  ]);
});
