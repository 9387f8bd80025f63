import { describe, expect, it } from "vitest";
import { claims, imported, SKILL } from "../support/imported.ts";

const CRITERIA = {
  context: "Whether tokens are signed well",
  type: "weighted_checklist",
  checklist: [
    { name: "Library", description: "It uses jsonwebtoken", max_score: 70, category: "INTENT" },
    {
      name: "No secret",
      description: "It does not print the secret",
      max_score: 30,
      category: "MUST_NOT",
      note: 1,
    },
  ],
};

const project = (criteria: unknown = CRITERIA, more: Readonly<Record<string, string>> = {}) => ({
  "tile.json": '{"name": "me/auth", "skills": {"auth": {"path": "skills/auth/SKILL.md"}}}',
  "skills/auth/SKILL.md": SKILL("auth"),
  "evals/sign/task.md": "# Sign tokens\n\nWrite auth.js.\n",
  "evals/sign/criteria.json": typeof criteria === "string" ? criteria : JSON.stringify(criteria, null, 1),
  ...more,
});

describe("a tessl scenario", () => {
  it.each([".", "evals", "evals/sign", "evals/sign/task.md", "evals/sign/criteria.json", "skills/auth"])(
    "is read whole, with the tile's skill, from %s",
    async (target) => {
      const { cases, files, errors, suites } = await imported(
        project(CRITERIA, {
          "evals/sign/scenario.json": '{"fixture": {"ref": "abc"}}',
          "evals/sign/capability.txt": "Signing\n",
        }),
        target,
      );
      expect(errors).toEqual([]);
      expect(suites).toEqual(["auth: sign"]);
      expect(files).toMatchObject([{ format: "tessl", dialect: "criteria", description: "Signing" }]);
      expect(cases[0]).toMatchObject({
        prompt: { kind: "turns", turns: ["# Sign tokens\n\nWrite auth.js."] },
        expectedOutput: "Whether tokens are signed well",
        extras: {
          max_score: { Library: 70, "No secret": 30 },
          category: { Library: "INTENT", "No secret": "MUST_NOT" },
          "scenario.json": { fixture: { ref: "abc" } },
        },
      });
      expect(claims(cases[0])).toEqual([
        { kind: "criterion", text: "It uses jsonwebtoken" },
        { kind: "criterion", text: "It does not print the secret" },
      ]);
      expect(cases[0]?.checks.map(({ id }) => id)).toEqual(["Library", "No secret"]);
      expect(cases[0]?.checks[1]?.origin).toEqual({ note: 1 });
    },
  );

  it("tells what it does not use", async () => {
    const { notes } = await imported(project(CRITERIA, { "evals/sign/scenario.json": "{}" }), "evals");
    for (const field of ["max_score", "category", "scenario.json"])
      expect(notes.join("\n")).toContain(`tessl/not-carried-over: ${field} is not used`);
  });

  it("is told once for all scenarios", async () => {
    const many = Object.fromEntries(
      [1, 2, 3].flatMap((n) => [
        [`evals/s${n}/task.md`, "Do it"],
        [`evals/s${n}/criteria.json`, JSON.stringify(CRITERIA)],
      ]),
    );
    const { notes, cases } = await imported(project(CRITERIA, many), "evals");
    expect(cases).toHaveLength(4);
    expect(notes.filter((note) => note.includes("max_score is not"))).toEqual([
      expect.stringContaining("(8 times in 4 files)"),
    ]);
  });

  it.each([
    [
      "no task",
      project(CRITERIA, { "evals/sign/task.md": "  \n" }),
      "tessl/no-task: task.md beside criteria.json is empty",
    ],
    ["an empty checklist", project({ ...CRITERIA, checklist: [] }), "checklist must not be empty"],
    [
      "an entry that says nothing",
      project({ ...CRITERIA, checklist: [{ name: "x", max_score: 1 }] }),
      'has no "description"',
    ],
    ["another type", project({ ...CRITERIA, type: "rubric" }), "tessl/not-a-choice"],
    [
      "an unknown category",
      project({ ...CRITERIA, checklist: [{ description: "x", category: "MUSTNOT" }] }),
      'did you mean "MUST_NOT"?',
    ],
    ["broken JSON", project('{"checklist": [}'), "evals/sign/criteria.json:1:16 error file/"],
    [
      "a task that leads elsewhere",
      project(CRITERIA, { "evals/sign/task.md": "->/etc/hostname" }),
      "is a link that leads out",
    ],
  ])("is refused with %s", async (_, files, expected) => {
    const { cases, errors } = await imported(files, "evals");
    expect(cases).toEqual([]);
    expect(errors.join("\n")).toContain(expected);
  });
});
