import { describe, expect, it } from "vitest";
import { splitCases } from "../../src/improve/loop/split-cases.ts";
import { improveProject, type SimRule } from "../support/improve-kit.ts";

const NAMES = ["Ada", "Bob", "Cid"];
const FILES = {
  "evals/greeter/evals.json": JSON.stringify({
    skill_name: "greeter",
    evals: NAMES.map((name, index) => ({
      id: `g${index}`,
      prompt: `Greet ${name}`,
      expectations: [`It says hello to ${name}`],
    })),
  }),
};

function drafts(draft: object, more: SimRule = {}): SimRule {
  return { when: { system: "You write the first version" }, reply: { json: draft }, ...more };
}

const DRAFT = {
  description: "Use this skill to greet: by name.",
  body: "# Greeting\n\nSay hello with the name.\n",
};
const SKILL = `---
name: greeter
description: "Use this skill to greet: by name."
---

# Greeting

Say hello with the name.
`;

const CALL = ["improve", "skills/greeter", "--from-evals", "evals/greeter"];

describe("assay improve --from-evals", () => {
  it("drafts a skill from the cases that are not held out, and writes it only when told to", async () => {
    await using project = await improveProject(FILES, [drafts(DRAFT)]);
    const shown = await project.assay(...CALL);
    expect(shown.exitCode).toBe(0);
    expect(shown.out).toContain("--- /dev/null\n+++ b/skills/greeter/SKILL.md\n");
    expect(project.git("status", "--porcelain")).toBe("");
    const asked = JSON.stringify(project.sim.requests.map(({ body }) => body));
    const ids = NAMES.map((_, index) => `g${index}`);
    const { train, heldOut } = splitCases(ids, 1);
    for (const id of train) expect(asked).toContain(`Greet ${NAMES[ids.indexOf(id)]}`);
    for (const id of heldOut) expect(asked).not.toContain(`Greet ${NAMES[ids.indexOf(id)]}`);
    const written = await project.assay(...CALL, "--apply");
    expect(written.exitCode).toBe(0);
    expect(await project.text("skills/greeter/SKILL.md")).toBe(SKILL);
    expect(project.sim.requests).toHaveLength(1);
  });

  it("asks again when the draft breaks a rule", async () => {
    await using project = await improveProject(FILES, [
      drafts({ ...DRAFT, body: "---\nname: x\n---\nHi" }, { times: 1 }),
      drafts(DRAFT, { when: { system: "You write the first version", anywhere: "begins with frontmatter" } }),
    ]);
    expect((await project.assay(...CALL)).exitCode).toBe(0);
  });

  it.each([
    [{ "skills/greeter/SKILL.md": SKILL }, CALL, "already exists"],
    [{}, ["improve", "skills/Bad_Name", "--from-evals", "evals/greeter"], "cannot be the name of a skill"],
    [{}, ["improve", "skills/greeter", "--from-evals", "nowhere"], "has no task"],
    [{}, [...CALL, "--suggest"], "cannot be combined"],
  ])("refuses before anything is asked: %#", async (more, args, says) => {
    await using project = await improveProject({ ...FILES, ...more }, [drafts(DRAFT)]);
    const { exitCode, err } = await project.assay(...args, "--apply");
    expect(err).toContain(says);
    expect(exitCode).toBe(2);
    expect(project.sim.requests).toEqual([]);
    expect(project.git("status", "--porcelain")).toBe("");
  });
});
