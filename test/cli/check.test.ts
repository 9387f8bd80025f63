import { readdirSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { BAD_INPUT } from "../support/bad-input.ts";
import { assay } from "../support/command-line.ts";
import { tempTree } from "../support/temp-tree.ts";

const SKILL = "---\nname: tidy\ndescription: Tidies rooms.\n---\nDo it.\n";

describe("assay check", () => {
  it("says in one line that all is well", async () => {
    await using tree = await tempTree({
      "tidy/SKILL.md": SKILL,
      "tidy/evals/evals.json": '{"evals": [{"id": 1, "prompt": "x", "expectations": ["y"]}]}',
    });
    expect(await assay(["check"], { cwd: tree.root })).toEqual({
      exitCode: 0,
      out: "ok: 1 skill, 1 eval file, 1 case; 0 errors, 0 notes\n",
      err: "",
    });
  });

  const WRONG = {
    "a/SKILL.md": SKILL,
    "a/SKILL.eval.json": `{
  "test_args": "x",
  "assertions": [
    {"id": "one", "type": "contains", "value": "x"},
    {"id": "one", "type": "min_length", "length": "5"}
  ],
  "colour": "red"
}`,
    "b/SKILL.md": "---\nname: b\ndescription: Does b.\n---\nDo it.\n",
    "b/evals/evals.json": '{"evals": [{"id": 1, "prompt": 5}, {"id": 1}]}',
  };

  it("prints every problem of every file, in the order of files and places", async () => {
    await using tree = await tempTree(WRONG);
    const { exitCode, out } = await assay(["check"], { cwd: tree.root });
    expect(exitCode).toBe(2);
    const places = out
      .split("\n")
      .flatMap((line) => /^(\S+?):(\d+):(\d+) (error|note)/.exec(line)?.[0] ?? []);
    expect(places).toEqual([
      "a/SKILL.md:2:7 note",
      "a/SKILL.eval.json:4:39 error",
      "a/SKILL.eval.json:5:12 error",
      "a/SKILL.eval.json:5:51 error",
      "a/SKILL.eval.json:7:3 note",
      "b/evals/evals.json:1:32 error",
      "b/evals/evals.json:1:36 error",
      "b/evals/evals.json:1:43 error",
    ]);
    expect(out).toMatch(/\nnot ok: 2 skills, 0 eval files, 0 cases; 6 errors, 2 notes\n$/);
  });

  it("gives the same as data, whole and in the same order", async () => {
    await using tree = await tempTree(WRONG);
    const { exitCode, out, err } = await assay(["check", "--json"], { cwd: tree.root });
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: "" });
    const { diagnostics, suites, counts } = JSON.parse(out);
    expect(counts).toEqual({ errors: 6, notes: 2, suites: 2, withoutSkill: 0, files: 0, cases: 0 });
    expect(diagnostics[1]).toEqual({
      severity: "error",
      code: "clauditor/unknown-key",
      message: 'assertions[0] has the unknown key "value"',
      at: { file: tree.path("a/SKILL.eval.json"), line: 4, column: 39 },
      hint: 'did you mean "needle"?',
    });
    expect(suites[1]).toEqual({ skill: "b", file: tree.path("b/SKILL.md"), files: [], cases: 0 });
  });

  it.each([
    ["nothing is wrong", { "tidy/SKILL.md": SKILL, "tidy/SKILL.eval.json": '{"test_args": "x"}' }, 0],
    ["nothing is there", {}, 2],
  ])("prints JSON also when %s", async (_, files, exitCode) => {
    await using tree = await tempTree(files);
    const outcome = await assay(["check", "--json"], { cwd: tree.root });
    expect(outcome.exitCode).toBe(exitCode);
    expect(Object.keys(JSON.parse(outcome.out))).toEqual(["diagnostics", "suites", "counts"]);
  });

  it("makes notes errors with --strict, and only then", async () => {
    await using tree = await tempTree({
      "tidy/SKILL.md": SKILL,
      "tidy/evals/evals.json": '{"evals": [{"id": 1, "prompt": "x", "expectations": ["y"], "colour": 1}]}',
    });
    const lenient = await assay(["check"], { cwd: tree.root });
    expect(lenient).toMatchObject({ exitCode: 0, out: expect.stringContaining("0 errors, 1 note\n") });
    const strict = await assay(["check", "--strict"], { cwd: tree.root });
    expect(strict).toMatchObject({ exitCode: 2, out: expect.stringContaining("1 error, 0 notes\n") });
    expect(strict.out).toContain("evals.json:1:60 error: an eval has the unknown key");
  });

  it("holds skills to the profile that is asked for", async () => {
    await using tree = await tempTree({ "tidy/SKILL.md": SKILL.replace("---\nDo", "model: opus\n---\nDo") });
    expect((await assay(["check", "tidy"], { cwd: tree.root })).exitCode).toBe(0);
    const spec = await assay(["check", "tidy", "--profile", "spec"], { cwd: tree.root });
    expect(spec).toMatchObject({ exitCode: 2, out: expect.stringContaining("[skill/claude-code-key]") });
  });

  it("takes evals and skill from elsewhere", async () => {
    await using tree = await tempTree({
      "tidy/SKILL.md": SKILL,
      "else/evals.json": '{"evals": [{"id": 1, "prompt": "x", "expectations": ["y"]}]}',
    });
    const by = (...args: string[]) => assay(["check", ...args], { cwd: tree.root });
    const ok = { exitCode: 0, out: "ok: 1 skill, 1 eval file, 1 case; 0 errors, 0 notes\n" };
    expect(await by("tidy", "--evals", "else/evals.json")).toMatchObject(ok);
    expect(await by("else/evals.json", "--skill", "tidy")).toMatchObject(ok);
  });

  it("lists the rules with their codes and severities", async () => {
    const here = { cwd: process.cwd() };
    const { exitCode, out } = await assay(["check", "--rules"], here);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^rule +in claude-code +what it asks for\n-+/);
    expect(out).toMatch(/^skill\/name-too-long +error +The name has at most 64 characters\.$/m);
    expect(out).toMatch(/^skill\/claude-code-key +off /m);
    expect((await assay(["check", "--rules", "--profile", "spec"], here)).out).toMatch(
      /^skill\/claude-code-key +error /m,
    );
    const rules = JSON.parse((await assay(["check", "--rules", "--json"], here)).out) as { code: string }[];
    expect(rules).toHaveLength(out.trim().split("\n").length - 2);
    expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length);
  });
});

describe("on a terminal", () => {
  const FILES = {
    "tidy/SKILL.md": SKILL,
    "tidy/evals/evals.json": '{\n\t"evals": [\n\t\t{"id": 1, "prompt": 5}\n\t]\n}\n',
  };

  it("a finding shows the line it is about, in colours", async () => {
    await using tree = await tempTree(FILES);
    const { out } = await assay(["check", "tidy"], { cwd: tree.root, decorated: true });
    expect(out).toContain("\u001B[36mtidy/evals/evals.json:3:23\u001B[39m \u001B[31merror\u001B[39m: ");
    const plain = stripVTControlCharacters(out);
    expect(plain).toContain('  3 |     {"id": 1, "prompt": 5}\n    |                         ^\n');
  });

  it("is the only place where it does", async () => {
    await using tree = await tempTree(FILES);
    const { out } = await assay(["check", "tidy"], { cwd: tree.root });
    expect(out).not.toContain("\u001B");
    expect(out).not.toContain("   |");
  });
});

describe("hostile text", () => {
  const HOSTILE = "\u001B[2J\u001B]0;owned\u0007\u202Etxt\u2066";

  it.each([false, true])("in names, keys and values is inert (terminal: %s)", async (decorated) => {
    await using tree = await tempTree({
      "tidy/SKILL.md": `---\nname: tidy\ndescription: x\n${JSON.stringify(HOSTILE)}: 1\n---\nDo it.\n`,
      "tidy/evals/evals.json": JSON.stringify({
        evals: [{ id: 1, prompt: "x", [HOSTILE]: 1, expectations: [HOSTILE] }],
      }),
      [`evil\u001B[31m\nerror: x/SKILL.md`]: "no frontmatter",
    });
    for (const args of [
      ["check"],
      ["list", "--cases"],
      ["check", HOSTILE],
      ["convert", HOSTILE, "--to", "bmad"],
    ]) {
      const { out, err } = await assay(args, { cwd: tree.root, decorated });
      const text = withoutColours(`${out}${err}`);
      expect(text.replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(text).not.toMatch(/^error: x/m);
    }
  });
});

describe("bad input", () => {
  it.each(BAD_INPUT.map((one) => [one.what, one] as const))("is refused: %s", async (_, { files, says }) => {
    await using tree = await tempTree({
      "tidy/SKILL.md": SKILL,
      ...Object.fromEntries(Object.entries(files).map(([name, content]) => [join("tidy", name), content])),
    });
    const before = listing(tree.root);
    const started = performance.now();
    const { exitCode, out, err } = await assay(["check", "tidy"], { cwd: tree.root });
    // A second is the promise; the rest is for machines that are busy with other tests.
    expect(performance.now() - started).toBeLessThan(5000);
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: "" });
    expect(out).toMatch(says);
    expect(out.match(/ error: /g)).toHaveLength(1);
    expect(listing(tree.root)).toEqual(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

/** Only those that Assay itself uses. */
function withoutColours(text: string): string {
  return [2, 22, 31, 33, 36, 39].reduce((rest, code) => rest.replaceAll(`\u001B[${code}m`, ""), text);
}

/** Links are not followed; how far one that leads back is depends on the moment. */
function listing(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
}
