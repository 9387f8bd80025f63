import { describe, expect, it } from "vitest";
import type { Skill } from "../../../domain/skill.ts";
import { load, evals, problems } from "./fixtures/load.ts";

function skillWith(body: string): Skill {
  return {
    name: "s",
    layout: "directory",
    file: "/s/SKILL.md",
    root: "/s",
    description: null,
    frontmatter: {},
    body,
  };
}

describe("the headless signal", () => {
  const silent = evals({ id: "A1", prompt: "Go" }, { id: "A2" }, { id: "A3", prompt: "Go" });

  it("is missed once a file, naming the cases", async () => {
    const { diagnostics } = await load(silent);
    expect(diagnostics).toMatchObject([
      {
        severity: "note",
        code: "bmad/no-headless-signal",
        at: { line: 5 },
        message: expect.stringMatching(/: A1, A3$/),
      },
    ]);
  });

  it("may be one of the skill's own words", async () => {
    const skill = skillWith("Ask the user.\n\n## Headless Mode\n\nSay `no questions`.\n");
    expect(await problems(evals({ prompt: "Go, no questions" }), { skill })).toEqual([]);
  });

  it("is not missed where the skill never asks", async () => {
    expect(await problems(silent, { skill: skillWith("Align the columns of a table.\n") })).toEqual([]);
  });
});
