import { writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type ImproveProject, improveProject, type SimRule } from "../support/improve-kit.ts";

const SKILL = `---
name: greeter
description: Greets people by name.
---

# Greeting

Say hello.
Be brief.

Be brief.
`;

const FILES = {
  "skills/greeter/SKILL.md": SKILL,
  "skills/greeter/evals/evals.json": JSON.stringify({
    skill_name: "greeter",
    evals: [
      { id: 1, prompt: "Greet Ada", assay: { checks: [{ type: "contains", needle: "Hello Ada" }] } },
      { id: 2, prompt: "Greet Bob", assay: { checks: [{ type: "contains", needle: "Hello Bob" }] } },
    ],
  }),
  "script.json": JSON.stringify({
    replies: [
      { when: { prompt: "Ada" }, steps: [{ text: "Hello Ada" }] },
      { when: { prompt: "Bob" }, steps: [{ text: "Hi there" }] },
    ],
  }),
};

const RUN = ["run", "skills/greeter", "--harness", "scripted", "--script", "script.json"];
const SUGGEST = ["improve", "skills/greeter", "--suggest"];

const GOOD = {
  anchor: "Say hello.",
  replacement: "Say hello with the name of the person.",
  rationale: "The name was left out.",
};

function suggests(edits: readonly object[], more: SimRule = {}): SimRule {
  return {
    when: { system: "You improve the instructions" },
    reply: { json: { summary: "Names are missing.", edits } },
    ...more,
  };
}

/** The id that the model is to name. */
async function failingId(project: ImproveProject): Promise<string> {
  const { out } = await project.assay(...SUGGEST, "--json", "--no-cache");
  return (JSON.parse(out) as { failing: { id: string }[] }).failing[0]?.id ?? "";
}

const ID = "2/contains:Hello Bob";

describe("assay improve --suggest", () => {
  it("shows the model the failing check with its evidence, and the skill", async () => {
    await using project = await improveProject(FILES, [suggests([])]);
    await project.assay(...RUN);
    expect(await failingId(project)).toBe(ID);
    const asked = JSON.stringify(project.sim.requests.map(({ body }) => body));
    expect(asked).toContain("Greet Bob");
    expect(asked).toContain("Hello Bob");
    expect(asked).not.toContain("Greet Ada");
    expect(asked).toContain("Be brief.");
  });

  it("names edits that cannot be made once, then drops them with a note", async () => {
    const bad = [
      { ...GOOD, anchor: "Be brief.", motivated_by: [ID] },
      { ...GOOD, anchor: "Not there", motivated_by: [ID] },
      { ...GOOD, motivated_by: ["1/other"] },
      { ...GOOD, anchor: "name: greeter", replacement: "name: other", motivated_by: [ID] },
    ];
    await using project = await improveProject(FILES, [
      suggests(bad, { times: 1 }),
      {
        when: {
          system: "You improve the instructions",
          anywhere: {
            regex:
              "edit 1 .*occurs 2 times[\\s\\S]*edit 2 .*does not occur[\\s\\S]*did not fail: 1/other[\\s\\S]*changes the name",
          },
        },
        reply: { json: { summary: "Better.", edits: [{ ...GOOD, motivated_by: [ID] }, bad[1]] } },
      },
    ]);
    await project.assay(...RUN);
    const { exitCode, out, err } = await project.assay(...SUGGEST);
    expect(err).toContain("note: edit 2 was dropped: the anchor does not occur in the text");
    expect(exitCode).toBe(0);
    expect(out).toContain("+Say hello with the name of the person.");
  });

  it("says so without asking a model when nothing failed", async () => {
    const replies = [
      { when: { prompt: "Ada" }, steps: [{ text: "Hello Ada" }] },
      { when: { prompt: "Bob" }, steps: [{ text: "Hello Bob" }] },
    ];
    await using project = await improveProject({ ...FILES, "script.json": JSON.stringify({ replies }) }, []);
    await project.assay(...RUN);
    const { exitCode, out, err } = await project.assay(...SUGGEST);
    expect(err).toContain("nothing failed in iteration-1: 2 checks passed. No model was asked.");
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: "" });
    expect(project.sim.requests).toEqual([]);
  });

  it("asks the same only once", async () => {
    await using project = await improveProject(FILES, [
      suggests([{ ...GOOD, motivated_by: [ID] }], { times: 1 }),
    ]);
    await project.assay(...RUN);
    const first = await project.assay(...SUGGEST);
    const second = await project.assay(...SUGGEST);
    expect(second.out).toBe(first.out);
    expect(project.sim.requests).toHaveLength(1);
  });

  it("takes a person's feedback as an input", async () => {
    await using project = await improveProject(FILES, [
      suggests([{ ...GOOD, motivated_by: [ID] }], {
        when: { system: "You improve the instructions", anywhere: "always use the surname" },
      }),
    ]);
    await project.assay(...RUN);
    await writeFile(
      project.path(".assay/greeter/iteration-1/feedback.json"),
      JSON.stringify({ reviews: [{ run_id: "eval-2", feedback: "always use the surname" }] }),
    );
    expect((await project.assay(...SUGGEST)).exitCode).toBe(0);
  });

  it("applies to a committed skill, and says when the failures are older than the skill", async () => {
    await using project = await improveProject(FILES, [suggests([{ ...GOOD, motivated_by: [ID] }])]);
    await project.assay(...RUN);
    const { exitCode, out } = await project.assay(...SUGGEST, "--apply");
    expect(exitCode).toBe(0);
    expect(out).toContain("+Say hello with the name");
    const after = SKILL.replace(GOOD.anchor, GOOD.replacement);
    expect(await project.text("skills/greeter/SKILL.md")).toBe(after);
    project.git("commit", "-qam", "better");
    const again = await project.assay(...SUGGEST, "--no-cache");
    expect(again.err).toContain("note: the skill was changed after iteration-1 was run");
    expect(again.err).toContain("the anchor does not occur");
    expect(again.exitCode).toBe(3);
    expect(await project.text("skills/greeter/SKILL.md")).toBe(after);
  });

  it.each([
    ["uncommitted changes", `${SKILL}Mine.\n`],
    ["no repository", SKILL],
  ])("refuses --apply with %s before anything is asked", async (what, text) => {
    await using project = await improveProject(FILES, [suggests([{ ...GOOD, motivated_by: [ID] }])]);
    await project.assay(...RUN);
    if (what === "no repository") execFileSync("rm", ["-rf", project.path(".git")]);
    await writeFile(project.path("skills/greeter/SKILL.md"), text);
    const { exitCode, err } = await project.assay(...SUGGEST, "--apply");
    expect(err).toContain("hint: commit it first, or leave out --apply");
    expect(exitCode).toBe(2);
    expect(await project.text("skills/greeter/SKILL.md")).toBe(text);
    expect(project.sim.requests).toEqual([]);
  });

  it("refuses an iteration of another skill", async () => {
    await using project = await improveProject(
      { ...FILES, "skills/other/SKILL.md": SKILL.replace("name: greeter", "name: other") },
      [],
    );
    await project.assay(...RUN);
    const { exitCode, err } = await project.assay(
      "improve",
      "skills/other",
      "--suggest",
      "--iteration",
      ".assay/greeter/iteration-1",
    );
    expect(err).toContain('is about the skill "greeter", not "other"');
    expect(exitCode).toBe(2);
  });

  it.each([
    [
      ["improve", "nowhere", "--suggest"],
      /there is nothing at nowhere[\s\S]*--from-evals PATH drafts a first one/,
    ],
    [["improve", "skills/greeter", "--suggest"], /greeter was not run yet[\s\S]*assay run runs it/],
    [
      ["improve", "skills/greeter", "--suggest", "--iteration", "iteration-7"],
      /"iteration-7" is not an iteration/,
    ],
    [
      ["improve", "skills/greeter", "--iteration", "iteration-1"],
      /--iteration does nothing without --suggest/,
    ],
    [["improve", "skills/greeter", "--suggest", "--restart"], /--restart does nothing except in rounds/],
    [["improve", "skills/greeter", "--suggest", "--max-minutes", "3"], /--max-minutes does nothing except/],
    [["improve", "."], /holds 2 skills: /],
  ])("%j is told what is missing", async (args, says) => {
    const other = { "skills/other/SKILL.md": SKILL.replace("name: greeter", "name: other") };
    await using project = await improveProject({ ...FILES, ...other }, []);
    const { exitCode, err } = await project.assay(...args);
    expect(err).toMatch(says);
    expect(exitCode).toBe(2);
    expect(project.sim.requests).toEqual([]);
    expect(project.git("status", "--porcelain")).toBe("");
  });
});
