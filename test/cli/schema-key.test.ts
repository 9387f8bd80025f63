import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { tempTree } from "../support/temp-tree.ts";

const SKILL = "---\nname: tidy\ndescription: Tidies up a folder when asked to.\n---\n\nDo it.\n";
const $schema = "../../eval.schema.json";
const json = (value: object) => JSON.stringify({ $schema, ...value });

const FILES = {
  "a skill-creator file": {
    "tidy/evals/evals.json": json({
      skill_name: "tidy",
      evals: [{ id: 1, prompt: "Tidy", expectations: ["It is tidy"] }],
    }),
  },
  "a skill-creator trigger set": {
    "tidy/evals/trigger-eval.json": json({
      queries: [
        { query: "Tidy up", should_trigger: true },
        { query: "Dance", should_trigger: false },
      ],
    }),
  },
  "a BMad file": {
    "evals/tidy/evals.json": json({
      skill_name: "tidy",
      evals: [{ id: "A1", prompt: "Tidy", expectations: ["It is tidy"] }],
    }),
  },
  "a clauditor file": {
    "tidy/tidy.eval.json": json({
      skill_name: "tidy",
      assertions: [{ id: "says", type: "contains", name: "says", needle: "tidy" }],
    }),
  },
  "a Skillet file": {
    "tidy/evals/001.yaml": `$schema: ${$schema}\ntimestamp: 2026-01-15T10:30:00Z\nname: one\nprompt: Tidy\nexpected: It is tidy\n`,
  },
};

describe("the $schema of an editor", () => {
  it.each(Object.entries(FILES))("is no unknown key of %s", async (_name, files) => {
    await using tree = await tempTree({ ".git/HEAD": "", "tidy/SKILL.md": SKILL, ...files });
    const listed = await assay(["list", "--json"], { cwd: tree.root });
    const [suite] = JSON.parse(listed.out) as { tasks: number; triggers: number }[];
    expect((suite?.tasks ?? 0) + (suite?.triggers ?? 0)).toBeGreaterThan(0);
    const { exitCode, out, err } = await assay(["check", "--strict"], { cwd: tree.root });
    expect(`${out}${err}`).not.toContain("$schema");
    expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 });
  });

  it("is no unknown key of a configuration, and nothing else becomes one", async () => {
    const files = { "tidy/SKILL.md": SKILL, ...FILES["a skill-creator file"] };
    await using tree = await tempTree({ ...files, "assay.config.json": json({ runs: 2 }) });
    const { exitCode, err } = await assay(["list"], { cwd: tree.root });
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    await using wrong = await tempTree({ ...files, "assay.config.json": json({ $shema: "x" }) });
    expect(await assay(["list"], { cwd: wrong.root })).toMatchObject({ exitCode: 2 });
  });

  it("is no loss when the file is converted, because the other format has its own", async () => {
    await using tree = await tempTree({ "tidy/SKILL.md": SKILL, ...FILES["a skill-creator file"] });
    const words = ["convert", "tidy/evals/evals.json", "--to", "bmad"];
    const { exitCode, out, err } = await assay(words, { cwd: tree.root });
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
    expect(`${out}${err}`).not.toContain("$schema");
  });
});
