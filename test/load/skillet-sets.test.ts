import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

const EVAL = evalOf("browsing", "Should name the tool that it switched to.");
const SETS = {
  "skillet/evals/browsing/web/001.yaml": EVAL,
  "skillet/evals/browsing/browser/001.yaml": EVAL,
  "skillet/evals/comments/001.yaml": evalOf("comments", "Should begin with issue (blocking)."),
  "skillet/evals/comments/002.yaml": evalOf("comments", "Should begin with praise."),
};

describe("Skillet's sets", () => {
  it.each([
    ["a name", "browsing", ["browsing: web--001, browser--001"]],
    ["a folder of a set by name", "browsing/web", ["browsing: web--001"]],
    ["a folder of a set by path", "skillet/evals/browsing/web", ["browsing: web--001"]],
    ["a file of a set", "skillet/evals/browsing/web/001.yaml", ["browsing: web--001"]],
    ["all sets", "skillet/evals", ["browsing: browser--001, web--001", "comments: 001, 002"]],
    ["Skillet's own folder", "skillet", ["browsing: browser--001, web--001", "comments: 001, 002"]],
  ])("keep their names, whichever way they are named: %s", async (_, target, expected) => {
    await using project = await tempTree(SETS);
    const listed = await list(project, target);
    expect(listed.map(sorted)).toEqual(expected.map(sorted));
  });

  it("of one skill have ids that say the set where numbers repeat", async () => {
    await using project = await tempTree({
      ...SETS,
      "tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies.\n---\nTidy.\n",
    });
    expect(await list(project, "comments", "skillet/evals/browsing/web/001.yaml", "--skill", "tidy")).toEqual(
      ["tidy: 001, 002, web--001"],
    );
    await using loose = await tempTree({
      "a/001.yaml": evalOf("apples", "Should count them."),
      "b/001.yaml": evalOf("pears", "Should count them."),
      "tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies.\n---\nTidy.\n",
    });
    expect(await list(loose, "a/001.yaml", "b/001.yaml", "--skill", "tidy")).toEqual([
      "tidy: 001, pears-001",
    ]);
  });

  it("give a file outside of them the name it says", async () => {
    await using project = await tempTree({ "001.yaml": evalOf("apples", "Should count them.") });
    expect(await list(project, "001.yaml")).toEqual(["apples: 001"]);
  });

  it.each(["web/001", "web/001.yaml", "browsing/web/001", "web--001"])(
    "have cases that --case names by their path: %s",
    async (name) => {
      await using project = await tempTree(SETS);
      expect(await list(project, "browsing", "--case", name)).toEqual(["browsing: web--001"]);
    },
  );

  it("have no case of a name that nothing has, and list says so as run does", async () => {
    await using project = await tempTree(SETS);
    const { exitCode, err } = await command(project, "list", "browsing", "--case", "web/009");
    expect(exitCode).toBe(2);
    expect(err).toContain("no case matches: 2 cases found, none selected");
  });

  it.each([
    ["browsign", '"browsing"'],
    ["browsing/wbe", '"browsing/web"'],
  ])("that are misspelled get the nearest name: %s", async (target, near) => {
    await using project = await tempTree(SETS);
    const { exitCode, out } = await command(project, "check", target);
    expect(exitCode).toBe(2);
    expect(out).toContain(`did you mean ${near}?`);
  });
});

describe("YAML that is no eval", () => {
  it("in the folder of a set is left out with a note, and blocks nothing", async () => {
    await using project = await tempTree({
      "set/001.yaml": EVAL,
      "set/config.yaml": "name: ci\nretries: 3\n",
    });
    const { exitCode, out, err } = await command(project, "check", "set");
    expect(exitCode).toBe(0);
    expect(out).toContain("1 case; 0 errors, 1 note");
    expect(`${out}${err}`).toContain("config.yaml:1:1 note: this is not a Skillet eval");
  });

  it.each([
    ["alone in the folder", { "set/config.yaml": "retries: 3\n" }, "set", "no eval file"],
    ["named itself", { "config.yaml": "retries: 3\n" }, "config.yaml", 'no "prompt"'],
    ["an eval without what to expect", { "set/1.yaml": "name: x\nprompt: Go\n" }, "set", 'no "expected"'],
    [
      "an eval in words of another format",
      { "set/1.yaml": "input: Go\nexpected_output: x\n" },
      "set",
      'no "prompt"',
    ],
    ["an eval with a slip of the pen", { "set/1.yaml": "prompts: Go\n" }, "set", 'no "prompt"'],
  ])("is an error when %s", async (_, files, target, words) => {
    await using project = await tempTree(files);
    const { exitCode, out, err } = await command(project, "check", target);
    expect(exitCode).not.toBe(0);
    expect(`${out}${err}`).toContain(words);
  });
});

describe("expected", () => {
  it.each([
    ["Should work correctly", true],
    ["It works as expected.", true],
    ["Claude should respond helpfully and correctly in the format that the style guide asks for", false],
    ["The answer is correct!", true],
    ["Should handle the request properly", true],
    ["Should answer 42", false],
    ["Should refuse", false],
    ["Should run npm test", false],
    ["The result is 12 EUR", false],
  ])("that says nothing is noted, and anything else is not: %s", async (expected, isVague) => {
    await using project = await tempTree({ "set/001.yaml": evalOf("x", JSON.stringify(expected)) });
    const { exitCode, out } = await command(project, "check", "set");
    expect(exitCode).toBe(0);
    expect(out.includes("expected is vague")).toBe(isVague);
  });
});

describe("an unquoted colon", () => {
  it.each([
    ["in a value", "prompt: Use this: that\n"],
    ["in a turn", "prompt:\n  - Use this: that\n  - Go on\n"],
    ["on a further line", "prompt: Use\n  this: that\n"],
  ])("%s is told to be quoted, once", async (_, prompt) => {
    await using project = await tempTree({
      "set/001.yaml": `timestamp: 2025-01-15T10:30:00Z\nname: x\n${prompt}expected: Should name the tool.\n`,
    });
    const { exitCode, out, err } = await command(project, "check", "set");
    expect(exitCode).not.toBe(0);
    expect(`${out}${err}`).toMatch(/quote|in quotes/);
    expect(`${out}${err}`).toContain("1 error,");
  });
});

function evalOf(name: string, expected: string): string {
  return `timestamp: 2025-01-15T10:30:00Z\nname: ${name}\nprompt: Do it\nexpected: ${expected}\n`;
}

function command(project: TempTree, ...args: readonly string[]) {
  return assay(args, { cwd: project.root, env: { SKILLET_DIR: project.path("skillet") } });
}

async function list(project: TempTree, ...targets: readonly string[]): Promise<string[]> {
  const { out } = await command(project, "list", ...targets, "--json");
  const suites = JSON.parse(out) as { skill: string; cases: { id: string }[] }[];
  return suites.map(({ skill, cases }) => `${skill}: ${cases.map(({ id }) => id).join(", ")}`);
}

function sorted(line: string): string {
  const [name = "", cases = ""] = line.split(": ");
  return `${name}: ${cases.split(", ").toSorted().join(", ")}`;
}
