import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { greeterProject } from "../support/project.ts";

const BODY =
  "Say hello to everybody by name, one line each, and never use more than five words in a line. ".repeat(2);
const SKILL = `---\nname: greeter\ndescription: Greets people by name.\n---\n\n${BODY}\n`;

describe("a file of a case that is part of the skill", () => {
  it.each([
    ["SKILL.md itself", ["SKILL.md"], {}],
    ["one of its references", ["references/names.md"], {}],
    [
      "a file with its text in it",
      ["evals/files/notes.md"],
      { "skills/greeter/evals/files/notes.md": `# Notes\n\n${BODY}\n\nThat is all.\n` },
    ],
  ])("%s makes the baseline invalid, and check says so", async (_, files, extra) => {
    const evals = {
      skill_name: "greeter",
      evals: [
        { id: 1, prompt: "Greet Ada", files, assay: { checks: [{ type: "contains", needle: "Ada" }] } },
      ],
    };
    await using project = await greeterProject([{ steps: [{ text: "Hello Ada" }] }], {
      "skills/greeter/SKILL.md": SKILL,
      "skills/greeter/references/names.md": "Ada Lovelace, Grace Hopper, Barbara Liskov, Radia Perlman\n",
      "skills/greeter/evals/evals.json": JSON.stringify(evals),
      ...extra,
    });
    const check = await assay(["check", "skills/greeter"], { cwd: project.root });
    expect(check.out).toContain("so its baseline will not count");
    const bench = await assay(
      ["bench", "skills/greeter", "--harness", "scripted", "--script", "script.json", "--runs", "1"],
      { cwd: project.root },
    );
    expect(bench.exitCode).toBe(3);
    expect(`${bench.out}${bench.err}`).toContain("the baseline is given the skill's");
  });

  it("is not a file that is only beside it", async () => {
    const evals = {
      skill_name: "greeter",
      evals: [{ id: 1, prompt: "Greet Ada", files: ["evals/files/names.csv"], expectations: ["It greets"] }],
    };
    await using project = await greeterProject([], {
      "skills/greeter/SKILL.md": SKILL,
      "skills/greeter/evals/files/names.csv": "Ada Lovelace,Grace Hopper,Barbara Liskov,Radia Perlman\n",
      "skills/greeter/evals/evals.json": JSON.stringify(evals),
    });
    const check = await assay(["check", "skills/greeter"], { cwd: project.root });
    expect(check.out).not.toContain("baseline");
  });
});
