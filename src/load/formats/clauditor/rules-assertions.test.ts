import { describe, expect, it } from "vitest";
import { loadText } from "./fixtures/load-text.ts";
import { said, assertion } from "./fixtures/rules.ts";

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
      ["note: assertions[0].needle proves nothing: an empty needle is in every output"],
    ],
    ...[
      { type: "has_urls", count: 0 },
      { type: "min_count", pattern: "a", count: 0 },
      { type: "has_format", format: "email", count: 0 },
    ].map((one): [unknown, string[]] => [
      assertion(one),
      ["note: assertions[0].count proves nothing: every output has at least 0"],
    ]),
    [
      assertion({ type: "min_length", length: 0 }),
      ["note: assertions[0].length proves nothing: every output has at least 0"],
    ],
    [assertion({ type: "max_length", length: 0 }), []],
    [
      assertion({ type: "regex", pattern: "" }),
      ["note: assertions[0].pattern proves nothing: an empty pattern matches everything"],
    ],
    [
      assertion({ type: "regex", pattern: "a(b" }),
      [
        "error: assertions[0].pattern is not a regular expression: a ( is never closed (at character 2 of the pattern; Python syntax is expected)",
      ],
    ],
    [
      assertion({ type: "min_count", pattern: "[", count: 1 }),
      [
        "error: assertions[0].pattern is not a regular expression: a [ is never closed (at character 1 of the pattern; Python syntax is expected)",
      ],
    ],
    [assertion({ type: "regex", pattern: "(?P<n>a)(?P=n)\\Z" }), []],
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
