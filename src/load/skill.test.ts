import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { frontmatterDiagnostics, parseSkill, readSkill, readSkillDocument, skillFileName } from "./skill.ts";

const parse = (text: string, file = "/skills/tidy/SKILL.md") => parseSkill(file, text).skill;

describe("frontmatter", () => {
  it.each([
    ["plain", "---\nname: tidy\ndescription: Tidies up.\n---\nBody\n", "Tidies up."],
    ["double quotes", '---\ndescription: "Use when: \\"x\\""\n---\n', 'Use when: "x"'],
    ["single quotes", "---\ndescription: 'it''s: fine'\n---\n", "it's: fine"],
    ["folded block", "---\ndescription: >-\n  one\n  two\n---\n", "one two"],
    ["literal block", "---\ndescription: |\n  one\n  two\n---\n", "one\ntwo\n"],
    ["indented block", "---\ndescription: |2\n    one\n---\n", "  one\n"],
    ["plain over several lines", "---\ndescription: one\n  two\nname: x\n---\n", "one two"],
    ["a trailing comment", "---\ndescription: one # not this\n---\n", "one"],
    ["carriage returns", "---\r\nname: tidy\r\ndescription: Tidies.\r\n---\r\nBody\r\n", "Tidies."],
    ["spaces after the hyphens", "---  \ndescription: one\n---\t\nBody", "one"],
    ["no end of line at the end", "---\ndescription: one\n---", "one"],
  ])("reads a description: %s", (_, text, description) => {
    const document = parseSkill("/skills/tidy/SKILL.md", text);
    expect(frontmatterDiagnostics(document)).toEqual([]);
    expect(document.skill.description).toBe(description);
  });

  it("keeps every value as it is, lists and maps too", () => {
    const skill = parse(
      "---\nname: tidy\nallowed-tools:\n  - Read\n  - Bash\nmetadata:\n  version: 1.0\n---\n",
    );
    expect(skill.frontmatter).toEqual({
      name: "tidy",
      "allowed-tools": ["Read", "Bash"],
      metadata: { version: 1 },
    });
  });

  it("leaves the body as it is", () => {
    expect(parse("---\nname: a\n---\n\n# Title\r\n--- not a fence\n---\n").body).toBe(
      "\n# Title\r\n--- not a fence\n---\n",
    );
    expect(parse("# No frontmatter\n").body).toBe("# No frontmatter\n");
    expect(parse("---\nname: a\n---").body).toBe("");
  });

  it.each(["---\n---\nBody\n", "---\n# only a comment\n---\nBody\n", "---\n~\n---\nBody\n"])(
    "takes %j as a frontmatter without keys",
    (text) => {
      const document = parseSkill("/skills/tidy/SKILL.md", text);
      expect(document.frontmatter.kind).toBe("read");
      expect(document.skill).toMatchObject({
        name: "tidy",
        frontmatter: {},
        description: null,
        body: "Body\n",
      });
    },
  );
});

describe("a broken frontmatter", () => {
  const problems = (text: string) => frontmatterDiagnostics(parseSkill("/s/tidy/SKILL.md", text));

  it("asks for quotes around a value with a colon, at its place in the file", () => {
    expect(problems("---\nname: tidy\ndescription: Use when: x\n---\nBody\n")).toEqual([
      {
        severity: "error",
        code: "skill/frontmatter-unquoted-colon",
        message: 'the value of "description" has a colon in it and is not quoted, so it is not valid YAML',
        at: { file: "/s/tidy/SKILL.md", line: 3, column: 14 },
        hint: 'quote it: description: "Use when: x"',
      },
    ]);
  });

  it.each([
    ["never closed", "---\nname: x\nBody\n", "skill/frontmatter-unclosed", 1],
    ["a quote that is never closed", "---\nname: 'x\n---\n", "skill/frontmatter-invalid", 3],
    ["a key twice", "---\nname: a\nname: b\n---\n", "skill/frontmatter-invalid", 3],
    ["a list", "---\n- name\n---\n", "skill/frontmatter-not-a-mapping", 2],
    ["a text", "---\njust words\n---\n", "skill/frontmatter-not-a-mapping", 2],
    ["__proto__", "---\n__proto__: {}\n---\n", "skill/frontmatter-invalid", 2],
    ["a colon at the end", "---\nname: a\ndescription: these:\n---\n", "skill/frontmatter-unquoted-colon", 3],
  ])("is reported: %s", (_, text, code, line) => {
    expect(problems(text)).toMatchObject([{ severity: "error", code, at: { line } }]);
  });

  it("leaves the skill usable under its directory's name", () => {
    expect(parse("---\nname: other\ndescription: a: b\n---\nBody\n")).toMatchObject({
      name: "tidy",
      description: null,
      frontmatter: {},
      body: "Body\n",
    });
  });

  it("never throws, whatever the text", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }).map((inner) => `---\n${inner}\n---\nBody`),
      fc
        .array(fc.constantFrom("---", "\n", "name: ", "a: b", "- ", "&a ", "*a", '"', ">", "{", "\r", "\t"))
        .map((parts) => `---\n${parts.join("")}`),
    );
    fc.assert(
      fc.property(text, (value) => {
        const document = parseSkill("/s/tidy/SKILL.md", value);
        for (const { at } of frontmatterDiagnostics(document)) expect(at!.line).toBeGreaterThan(0);
        expect(value.endsWith(document.skill.body)).toBe(true);
      }),
    );
  });
});

describe("the name", () => {
  it.each([
    ["frontmatter", "/s/tidy/SKILL.md", "name: clean_Up-2", "clean_Up-2"],
    ["directory when the name has spaces", "/s/tidy/SKILL.md", "name: Clean up", "tidy"],
    ["directory when the name is a number", "/s/tidy/SKILL.md", "name: 12", "tidy"],
    ["directory when the name starts with a hyphen", "/s/tidy/SKILL.md", "name: -x", "tidy"],
    ["directory when the name would leave a folder", "/s/tidy/SKILL.md", "name: ../../evil", "tidy"],
    ["directory when there is none", "/s/tidy/SKILL.md", "license: MIT", "tidy"],
    ["directory when it is too long", "/s/tidy/SKILL.md", `name: ${"a".repeat(129)}`, "tidy"],
    ["frontmatter at the limit", "/s/tidy/SKILL.md", `name: ${"a".repeat(128)}`, "a".repeat(128)],
    ["file for a command", "/p/.claude/commands/tidy.up.md", "license: MIT", "tidy.up"],
    ["frontmatter for a command", "/p/.claude/commands/tidy.md", "name: sweep", "sweep"],
  ])("comes from the %s", (_, file, line, name) => {
    expect(parse(`---\n${line}\n---\nBody\n`, file).name).toBe(name);
  });
});

it("prefers the exact spelling of SKILL.md", () => {
  expect(skillFileName(["README.md", "skill.md", "SKILL.md"])).toBe("SKILL.md");
  expect(skillFileName(["Skill.md"])).toBe("Skill.md");
  expect(skillFileName(["skills.md"])).toBeNull();
});

describe("reading from disk", () => {
  let directory: string;
  let reported: Diagnostic[];
  const report = (diagnostic: Diagnostic) => void reported.push(diagnostic);

  beforeEach(async () => {
    reported = [];
    directory = await mkdtemp(join(tmpdir(), "skill-"));
    await mkdir(join(directory, "tidy"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it("takes the directory or the file, and a byte order mark is fine", async () => {
    const file = join(directory, "tidy", "SKILL.md");
    await writeFile(file, "\uFEFF---\nname: tidy\ndescription: Tidies.\n---\nBody\n");
    for (const path of [file, join(directory, "tidy"), `${join(directory, "tidy")}/`]) {
      expect(await readSkill(path, report)).toEqual({
        name: "tidy",
        layout: "directory",
        file,
        root: join(directory, "tidy"),
        description: "Tidies.",
        frontmatter: { name: "tidy", description: "Tidies." },
        body: "Body\n",
      });
    }
    expect(reported).toEqual([]);
  });

  it("reads a command file without frontmatter", async () => {
    const file = join(directory, "sweep.md");
    await writeFile(file, "Sweep the floor.\n");
    expect(await readSkill(file, report)).toMatchObject({
      name: "sweep",
      layout: "command",
      body: "Sweep the floor.\n",
    });
    expect(reported).toEqual([]);
  });

  it("reports a broken frontmatter once and returns the skill", async () => {
    await writeFile(join(directory, "tidy", "skill.md"), "---\ndescription: a: b\n---\n");
    expect(await readSkill(join(directory, "tidy"), report)).toMatchObject({ name: "tidy" });
    expect(reported.map(({ code }) => code)).toEqual(["skill/frontmatter-unquoted-colon"]);
  });

  it.each([
    ["a directory without SKILL.md", "tidy", "skill/no-skill-file"],
    ["a path that is not there", "nowhere/SKILL.md", "file/unreadable"],
  ])("reports %s", async (_, path, code) => {
    expect(await readSkillDocument(join(directory, path), report)).toBeNull();
    expect(reported).toMatchObject([{ severity: "error", code }]);
  });

  it("reports UTF-16", async () => {
    const file = join(directory, "tidy", "SKILL.md");
    await writeFile(file, Buffer.from("\uFEFF---\n", "utf16le"));
    expect(await readSkill(file, report)).toBeNull();
    expect(reported).toMatchObject([{ code: "file/utf-16", at: { file } }]);
  });
});
