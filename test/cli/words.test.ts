import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { assay } from "../support/command-line.ts";
import { tempTree } from "../support/temp-tree.ts";

const HERE = { cwd: process.cwd() };

describe("the command line", () => {
  it.each([["--version"], ["-V"], ["version"]])("answers %s with the version alone", async (word) => {
    const { exitCode, out, err } = await assay([word], HERE);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(out).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });

  it.each([["--help"], ["-h"], ["help"]])(
    "answers %s with every command and the exit codes",
    async (word) => {
      const { exitCode, out, err } = await assay([word], HERE);
      expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
      for (const { name, summary } of COMMANDS)
        expect(out).toMatch(new RegExp(`^  ${name} +${escaped(summary)}$`, "m"));
      expect(out).toContain("Exit codes: 0 ");
    },
  );

  it("says what it is for when called without a word, and that this was not a command", async () => {
    const { exitCode, out, err } = await assay([], HERE);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(err).toContain("Usage: assay <command>");
  });

  it.each(COMMANDS.map(({ name, summary }) => [name, summary]))(
    "explains %s with its summary and, where it takes anything, examples",
    async (name, summary) => {
      const { exitCode, out } = await assay([name, "--help"], HERE);
      expect(exitCode).toBe(0);
      expect(out).toContain(`Usage: assay ${name} `);
      expect(out.replaceAll(/\s+/g, " ")).toContain(summary);
      expect(out).toMatch(new RegExp(`^  assay ${name}|^Usage: assay ${name} \\[options\\]\n`, "m"));
      expect(await assay(["help", name], HERE)).toEqual({ exitCode: 0, out, err: "" });
    },
  );
});

describe("a mistake on the command line", () => {
  const HELP = (name: string) => `  hint: assay ${name} --help lists what it takes\n`;

  it.each<[string[], string]>([
    [["chek"], 'error: there is no command "chek"\n  hint: did you mean assay check?\n'],
    [["frobnicate"], 'error: there is no command "frobnicate"\n  hint: assay --help lists the commands\n'],
    [["--verison"], 'error: unknown option "--verison"\n  hint: did you mean assay --version?\n'],
    [["help", "nope"], 'error: there is no command "nope"\n  hint: assay --help lists the commands\n'],
    [
      ["\u001B[31mred"],
      'error: there is no command "\\u001b[31mred"\n  hint: assay --help lists the commands\n',
    ],
    [["check", "--jsn"], `error: unknown option '--jsn'\n(Did you mean --json?)\n${HELP("check")}`],
    [["check", "--evals"], `error: option '--evals <path>' argument missing\n${HELP("check")}`],
    [
      ["check", "--profile", "lax"],
      `error: option '--profile <name>' argument 'lax' is invalid. Allowed choices are spec, claude-code, strict.\n${HELP("check")}`,
    ],
    [["convert"], `error: required option '--to <format>' not specified\n${HELP("convert")}`],
    [
      ["convert", "--to", "bmad"],
      `error: missing required argument 'file'\n  hint: usage: assay convert [options] <file>; --help explains it\n`,
    ],
    [
      ["convert", "a.json", "b.json", "--to", "bmad"],
      `error: too many arguments. Expected 1 argument but got 2.\n${HELP("convert")}`,
    ],
    [
      ["schema", "yaml"],
      `error: command-argument value 'yaml' is invalid for argument 'format'. Allowed choices are bmad, clauditor, skill-creator, skillet, claude-plugin, promptfoo, sentry-skillet, tessl, config, report.\n${HELP("schema")}`,
    ],
    [
      ["package"],
      `error: missing required argument 'skill'\n  hint: usage: assay package [options] <skill>; --help explains it\n`,
    ],
  ])("%j exits 2 and says what to do", async (args, err) => {
    expect(await assay(args, HERE)).toEqual({ exitCode: 2, out: "", err });
  });
});

describe("a target that is not there or not usable", () => {
  const FILES = {
    "skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies.\n---\nDo it.\n",
    "empty/": "",
    "notes.txt": "x",
    "package.json": '{"name": "x", "version": "1.0.0"}',
    "grading.json": '{"expectations": [], "summary": {"passed": 1, "failed": 0, "total": 1, "pass_rate": 1}}',
  };

  it.each([
    [
      "skills/tidi",
      /^skills\/tidi:1:1 error: no such file or directory .*\n  hint: did you mean "skills\/tidy"\?/,
    ],
    ["nowhere", /^nowhere:1:1 error: no such file .*\n  hint: pass a skill, an eval file/],
    ["empty", /^empty:1:1 error: no skill or eval file found here .*\n  hint: pass a SKILL.md/],
    ["notes.txt", /^notes\.txt:1:1 error: this is neither a skill .*\n  hint: pass the skill/],
    ["package.json", /^package\.json:1:1 error: .*"name", "version".*\n  hint: /],
    ["grading.json", /^grading\.json:1:1 error: .*grading.*\n  hint: /],
  ])("%s: place, cause and next step, whichever command it is given to", async (target, words) => {
    await using tree = await tempTree(FILES);
    const check = await assay(["check", target], { cwd: tree.root });
    expect(check).toMatchObject({ exitCode: 2, err: "" });
    expect(check.out).toMatch(words);
    const list = await assay(["list", target], { cwd: tree.root });
    expect(list).toMatchObject({ exitCode: 2, out: "" });
    expect(list.err).toMatch(words);
    const convert = await assay(["convert", target, "--to", "bmad"], { cwd: tree.root });
    expect(convert).toMatchObject({ exitCode: 2, out: "" });
    expect(convert.err).toMatch(words);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
