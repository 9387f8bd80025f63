import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lintSkill } from "./lint.ts";
import { type Profile, PROFILES, RULES, type RuleCode } from "./rules.ts";

let root: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "lint-"));
});
afterAll(() => rm(root, { recursive: true }));

interface Sample {
  readonly text: string;
  readonly at?: string;
  readonly files?: Readonly<Record<string, string>>;
}

async function codes(sample: Sample, profile: Profile): Promise<string[]> {
  count++;
  const file = join(root, String(count), sample.at ?? "tidy/SKILL.md");
  const files = { [file]: sample.text };
  for (const [path, text] of Object.entries(sample.files ?? {})) files[join(dirname(file), path)] = text;
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return (await lintSkill(file, { profile })).map(({ code }) => code);
}

/** A skill with these lines beside or in place of the usual ones. */
function skill(lines: Record<string, string | null> = {}, body = "Do it.\n"): Sample {
  const fields: Record<string, string | null> = { name: "tidy", description: "Tidies up.", ...lines };
  const written = Object.entries(fields).flatMap(([key, value]) =>
    value === null ? [] : [`${key}: ${value}`],
  );
  return { text: `---\n${written.join("\n")}\n---\n${body}` };
}

const complete = { license: "MIT", compatibility: "Node 20", metadata: '{version: "1"}' };
const within = (name: string) => ({ ...skill({ name }), at: `${name}/SKILL.md` });

/** For each rule, what trips it and what comes closest without tripping it. */
const SAMPLES: Record<RuleCode, readonly [trips: readonly Sample[], passes: readonly Sample[]]> = {
  "skill/frontmatter-missing": [
    [{ text: "# Tidy\n" }, { text: "\n---\nname: tidy\n---\n" }],
    [skill(), { text: "# Tidy\n", at: ".claude/commands/tidy.md" }],
  ],
  "skill/frontmatter-unclosed": [[{ text: "---\nname: tidy\n" }], [skill()]],
  "skill/frontmatter-invalid": [
    [skill({ description: '"x' }), skill({ Name: "a\nName: b" })],
    [skill({ description: '"x"' })],
  ],
  "skill/frontmatter-unquoted-colon": [
    [skill({ description: "Use when: x" })],
    [skill({ description: '"Use when: x"' })],
  ],
  "skill/frontmatter-not-a-mapping": [[{ text: "---\n- a\n---\n" }], [skill()]],
  "skill/angle-brackets": [
    [skill({ description: "Use <b>" }), skill({ metadata: "{a: [x, '>']}" })],
    [skill({ description: ">-\n  folded" }), skill({}, "a < b\n")],
  ],
  "skill/claude-code-key": [
    [skill({ "argument-hint": "x" }), skill({ "user-invocable": "false" })],
    [skill()],
  ],
  "skill/unknown-key": [[skill({ descripton: "x" }), skill({ version: "1" })], [skill({ model: "opus" })]],
  "skill/system-prompt": [[skill({ system_prompt: "x" })], [skill()]],
  "skill/name-missing": [
    [skill({ name: null })],
    [skill(), { text: "---\nmodel: x\n---\nDo.\n", at: "commands/tidy.md" }],
  ],
  "skill/name-not-string": [[skill({ name: "12" }), skill({ name: "" })], [skill({ name: '"12"' })]],
  "skill/name-empty": [[skill({ name: '" "' })], [skill()]],
  "skill/name-too-long": [[within("a".repeat(65))], [within("a".repeat(64))]],
  "skill/name-leading-hyphen": [[within("-tidy")], [within("ti-dy")]],
  "skill/name-trailing-hyphen": [[within("tidy-")], [within("ti-dy")]],
  "skill/name-consecutive-hyphens": [[within("ti--dy")], [within("t-i-dy")]],
  "skill/name-invalid-chars": [
    [within("Tidy"), within("tidy_up"), within("tidy up")],
    [within("tidy-2"), within("größe"), within("整理")],
  ],
  "skill/name-not-ascii": [[within("größe")], [within("groesse"), within("Größe")]],
  "skill/name-directory-mismatch": [
    [skill({ name: "other" })],
    [skill(), { ...skill({ name: "other" }), at: "commands/tidy.md" }],
  ],
  "skill/name-reserved": [[within("claude-tidy"), within("anthropic")], [within("cloud-tidy")]],
  "skill/description-missing": [[skill({ description: null })], [skill()]],
  "skill/description-not-string": [[skill({ description: "[a]" })], [skill()]],
  "skill/description-empty": [[skill({ description: '"  "' })], [skill()]],
  "skill/description-too-long": [
    [skill({ description: "x".repeat(1025) })],
    [skill({ description: "🙂".repeat(1024) })],
  ],
  "skill/license-not-string": [[skill({ license: "1.0" })], [skill(complete)]],
  "skill/license-empty": [[skill({ license: "''" })], [skill(complete)]],
  "skill/license-missing": [[skill()], [skill(complete)]],
  "skill/compatibility-not-string": [[skill({ compatibility: "[node]" })], [skill(complete)]],
  "skill/compatibility-empty": [[skill({ compatibility: "''" })], [skill(complete)]],
  "skill/compatibility-too-long": [
    [skill({ compatibility: "x".repeat(501) })],
    [skill({ compatibility: "x".repeat(500) })],
  ],
  "skill/compatibility-missing": [[skill()], [skill(complete)]],
  "skill/metadata-not-map": [[skill({ metadata: "x" })], [skill(complete)]],
  "skill/metadata-key-not-string": [
    [skill({ metadata: "{1: a}" }), skill({ metadata: "{true: a}" })],
    [skill({ metadata: '{"1": a, v1: b}' })],
  ],
  "skill/metadata-value-not-string": [
    [skill({ metadata: "{version: 1.0}" }), skill({ metadata: "{a: {b: c}}" })],
    [skill(complete)],
  ],
  "skill/metadata-missing": [[skill()], [skill(complete)]],
  "skill/allowed-tools-not-string": [
    [skill({ "allowed-tools": "[Read, Bash]" })],
    [skill({ "allowed-tools": "Read Bash(git:*)" })],
  ],
  "skill/allowed-tools-experimental": [[skill({ "allowed-tools": "Read" })], [skill()]],
  "skill/body-empty": [[skill({}, " \n\n")], [skill({}, "x")]],
  "skill/body-too-many-lines": [[skill({}, "x\n".repeat(501))], [skill({}, "x\n".repeat(500))]],
  "skill/body-too-many-words": [[skill({}, "x ".repeat(5001))], [skill({}, "x ".repeat(5000))]],
  "skill/reference-too-deep": [
    [
      skill({}, "See [a](a/b/c.md).\n"),
      skill({}, "See [a](../other/x.md).\n"),
      skill({}, "~~~\n~~~\n[a](<a/b/c.md>)\n"),
    ],
    [
      skill({}, "See [a](references/c.md), [b](https://x.org/a/b/c), [c](#x), [d](/a/b/c), [e](./a/b.md).\n"),
      skill({}, "```md\n[a](a/b/c.md)\n```\n"),
      skill({}, "````\n```\n[a](a/b/c.md)\n````\n"),
      skill({}, "Write `[a](a/b/c.md)` there.\n"),
    ],
  ],
  "skill/reference-missing": [
    [skill({}, "[a](b.md)")],
    [{ ...skill({}, "[a](b.md#part) [b](b%20c.md) [d]({dir}/x.md)"), files: { "b.md": "", "b c.md": "" } }],
  ],
  "skill/layout-command": [[{ text: "Do.\n", at: ".claude/commands/tidy.md" }], [skill()]],
  "skill/filename-case": [
    [{ ...skill(), at: "tidy/skill.md" }],
    [skill(), { text: "x", at: "commands/tidy.md" }],
  ],
  "skill/directory-not-kebab-case": [[{ ...skill(), at: "My Skill/SKILL.md" }], [skill()]],
  "skill/readme": [
    [{ ...skill(), files: { "README.md": "" } }],
    [{ ...skill(), files: { "docs/README.md": "" } }],
  ],
  "skill/secret-file": [
    [
      { ...skill(), files: { ".env": "" } },
      { ...skill(), files: { "scripts/id_rsa": "" } },
      { ...skill(), files: { "assets/server.pem": "", ".env.local": "" } },
    ],
    [{ ...skill(), files: { ".env.example": "", "scripts/environment.py": "", "node_modules/x/a.pem": "" } }],
  ],
};

describe.each(RULES)("$code", ({ code, severity }) => {
  const [trips, passes] = SAMPLES[code];
  const profile = PROFILES.find((name) => severity[name] !== "off")!;

  it.each(trips)("objects to $text", async (sample) => {
    expect(await codes(sample, profile)).toContain(code);
  });

  it.each(passes)("has nothing against $text", async (sample) => {
    expect(await codes(sample, profile)).not.toContain(code);
  });

  it("is as severe as the table says in each profile", async () => {
    for (const name of PROFILES) {
      const [sample] = trips;
      count++;
      const file = join(root, String(count), sample!.at ?? "tidy/SKILL.md");
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, sample!.text);
      for (const path of Object.keys(sample!.files ?? {})) await writeFile(join(dirname(file), path), "");
      const found = (await lintSkill(file, { profile: name })).find((diagnostic) => diagnostic.code === code);
      expect(found?.severity ?? "off").toBe(severity[name]);
    }
  });
});

describe("the table of rules", () => {
  it("has each code once, with one sentence each", () => {
    expect(new Set(RULES.map(({ code }) => code)).size).toBe(RULES.length);
    for (const { code, explanation } of RULES) {
      expect(code).toMatch(/^skill\/[a-z-]+$/);
      expect(explanation).toMatch(/^[A-Za-z_-].*\.$/);
      expect(explanation.length).toBeLessThan(100);
    }
  });

  it("has what clauditor, Skillet and quick_validate check", () => {
    const known = RULES.flatMap(({ alsoKnownAs }) => alsoKnownAs);
    const of = (tool: string) =>
      new Set(known.filter((name) => name.startsWith(`${tool} `)).map((name) => name.slice(tool.length + 1)));
    expect(of("skillet")).toEqual(
      new Set([
        "frontmatter-valid",
        "frontmatter-delimiters",
        "frontmatter-no-xml",
        "filename-case",
        "folder-kebab-case",
        "name-kebab-case",
        "name-matches-folder",
        "name-no-reserved",
        "description-length",
        "body-word-count",
        "no-readme",
        "field-license",
        "field-compatibility",
        "field-metadata",
      ]),
    );
    const clauditor = [
      "FRONTMATTER: MISSING INVALID_YAML UNQUOTED_COLON_IN_SCALAR UNKNOWN_KEY",
      "NAME: MISSING NOT_STRING EMPTY TOO_LONG LEADING_HYPHEN TRAILING_HYPHEN CONSECUTIVE_HYPHENS",
      "NAME: INVALID_CHARS PARENT_DIR_MISMATCH",
      "DESCRIPTION: MISSING NOT_STRING EMPTY TOO_LONG",
      "LICENSE: NOT_STRING EMPTY",
      "COMPATIBILITY: NOT_STRING EMPTY TOO_LONG",
      "METADATA: NOT_MAP KEY_NOT_STRING VALUE_NOT_STRING",
      "ALLOWED_TOOLS: NOT_STRING EXPERIMENTAL",
      "LAYOUT: LEGACY",
      "BODY: TOO_LONG",
      "REFERENCE: DEPTH_TOO_DEEP",
    ].flatMap((line) => {
      const [field, names] = line.split(": ");
      return names!.split(" ").map((name) => `AGENTSKILLS_${field}_${name}`);
    });
    expect(of("clauditor")).toEqual(new Set(clauditor));
    expect(of("quick_validate").size).toBeGreaterThan(10);
  });

  it("is at least as severe in strict as elsewhere", () => {
    const order = ["off", "note", "error"];
    for (const { severity } of RULES) {
      const strict = order.indexOf(severity.strict);
      expect(strict).toBeGreaterThanOrEqual(order.indexOf(severity.spec));
      expect(strict).toBeGreaterThanOrEqual(order.indexOf(severity["claude-code"]));
    }
  });
});

describe("lintSkill", () => {
  it.each(PROFILES)("has nothing to say about a good skill in profile %s", async (profile) => {
    expect(await codes(skill(complete), profile)).toEqual([]);
  });

  it("points at the place and says what to do", async () => {
    const file = join(root, "place", "tidy", "SKILL.md");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, "---\nname: Tidy Up\ndescripton: x\ndescription: y\n---\nDo.\n");
    expect(await lintSkill(dirname(file), { profile: "spec" })).toEqual([
      {
        severity: "error",
        code: "skill/name-invalid-chars",
        message: 'name contains "T", " ", "U"',
        at: { file, line: 2, column: 7 },
        hint: 'write "tidy-up"',
      },
      {
        severity: "error",
        code: "skill/name-directory-mismatch",
        message: 'name is "Tidy Up" but the directory is called "tidy"',
        at: { file, line: 2, column: 7 },
        hint: "give both the same name",
      },
      {
        severity: "error",
        code: "skill/unknown-key",
        message: 'the frontmatter has the unknown key "descripton"',
        at: { file, line: 3, column: 1 },
        hint: 'did you mean "description"?',
      },
    ]);
  });

  it("reports a skill that is not there", async () => {
    expect(await lintSkill(join(root, "nowhere"), { profile: "spec" })).toMatchObject([
      { code: "file/unreadable" },
    ]);
  });
});
