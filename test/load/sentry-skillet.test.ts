import { describe, expect, it } from "vitest";
import { claims, imported, SKILL } from "../support/imported.ts";

const WHOLE = [
  "behavior: branch-safety",
  "prompt: |",
  "  Commit the staged change.",
  "fixture: git-repo",
  "setup: git init -q",
  "checks:",
  "  - shell: test -d .git",
  "  - file_exists: src/a.ts",
  "  - judge: It left main alone.",
  "trials: 3",
  "timeout: 120.5",
  "",
].join("\n");

const project = (text: string) => ({
  "SKILL.md": SKILL("commit"),
  "evals/cases/branch.yaml": text,
  "evals/fixtures/git-repo/package.json": "{}",
  "evals/fixtures/git-repo/config.yaml": "prompt: not an eval\n",
});

describe("a case of Sentry's Skillet", () => {
  it.each([".", "evals", "evals/cases", "evals/cases/branch.yaml", "SKILL.md"])(
    "is read whole, with its skill, from %s",
    async (target) => {
      const { cases, files, told, suites } = await imported(project(WHOLE), target);
      expect(told).toEqual([]);
      expect(suites).toEqual(["commit: branch"]);
      expect(files).toMatchObject([{ format: "sentry-skillet", dialect: "case" }]);
      expect(cases[0]).toMatchObject({
        name: "branch-safety",
        prompt: { kind: "turns", turns: ["Commit the staged change.\n"] },
        overlays: [expect.stringMatching(/evals\/fixtures\/git-repo$/)],
        setup: "git init -q",
        settings: { timeoutSeconds: 120.5, variance: { runs: 3, minStability: null } },
      });
      expect(claims(cases[0])).toEqual([
        { kind: "shell", command: "test -d .git" },
        { kind: "file_exists", path: "src/a.ts" },
        { kind: "criterion", text: "It left main alone." },
      ]);
    },
  );

  it("is told from the other Skillet by its content, wherever it lies", async () => {
    const { files, errors } = await imported({
      "mixed/a.yaml": WHOLE.replace("fixture: git-repo\n", ""),
      "mixed/b.yaml": "timestamp: 2025-01-15T10:30:00Z\nname: n\nprompt: Say hello\nexpected: Says hello\n",
    });
    expect(errors).toEqual([]);
    expect(files.map(({ format }) => format)).toEqual(["sentry-skillet", "skillet"]);
  });

  it("keeps a key it does not know, with a note", async () => {
    const { cases, notes } = await imported(project(`${WHOLE}owner: me\n`));
    expect(cases[0]?.extras).toEqual({ owner: "me" });
    expect(notes).toEqual([expect.stringContaining('the unknown key "owner"')]);
  });

  it.each([
    [
      "no checks",
      WHOLE.replace(/checks:[\s\S]*main alone\.\n/, ""),
      'the file has no "checks", which is required',
    ],
    [
      "an empty list",
      WHOLE.replace(/checks:[\s\S]*main alone\.\n/, "checks: []\n"),
      "branch.yaml:6:9 error sentry-skillet/empty-list",
    ],
    [
      "an unknown check",
      WHOLE.replace("- shell:", "- shel:"),
      'the unknown type "shel" (did you mean "shell"?)',
    ],
    [
      "two keys in one check",
      WHOLE.replace("- shell: test -d .git", "- {shell: a, judge: b}"),
      "an object with one key",
    ],
    [
      "no fixture",
      WHOLE.replace("git-repo", "gone"),
      '4:10 error sentry-skillet/bad-fixture: fixture does not exist: "gone"',
    ],
    ["a fixture elsewhere", WHOLE.replace("git-repo", "../../.."), 'fixture leaves its root by ".."'],
    ["an absolute path", WHOLE.replace("src/a.ts", "/etc/passwd"), "sentry-skillet/bad-path"],
    ["trials of half", WHOLE.replace("trials: 3", "trials: 1.5"), "trials must be an integer"],
    ["no time", WHOLE.replace("120.5", "0"), "timeout must be above 0"],
    ["broken YAML", WHOLE.replace("checks:", "checks: ["), "evals/cases/branch.yaml:"],
  ])("is refused with %s", async (_, text, expected) => {
    const { cases, errors } = await imported(project(text));
    expect(cases).toEqual([]);
    expect(errors.join("\n")).toContain(expected);
  });
});
