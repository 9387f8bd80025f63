import { symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type ImproveProject, improveProject, type SimRule } from "../support/improve-kit.ts";

const FILES = {
  "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n",
  "skills/greeter/references/tone.md": "Be brief.\n",
  "skills/greeter/evals/evals.json": JSON.stringify({
    skill_name: "greeter",
    evals: [
      { id: 1, prompt: "Greet Ada", assay: { checks: [{ type: "contains", needle: "Ada" }] } },
      { id: 2, prompt: "Greet Bob", assay: { checks: [{ type: "contains", needle: "Bob" }] } },
    ],
  }),
  "script.json": JSON.stringify({
    replies: [
      { when: { prompt: "Ada" }, steps: [{ bash: "echo looked-around" }, { text: "Hello Ada" }] },
      { when: { prompt: "Bob" }, steps: [{ text: "Hello Bob" }] },
    ],
  }),
};

const RUN = ["run", "skills/greeter", "--harness", "scripted", "--script", "script.json"];
const SUGGEST = ["improve", "skills/greeter", "--suggest"];

function suggests(edit: object, anywhere: string): SimRule {
  return {
    when: { system: "You improve the instructions", anywhere },
    reply: { json: { summary: "Tone.", edits: [{ rationale: "said so", ...edit }] } },
  };
}

async function withFeedback(
  project: ImproveProject,
  reviews: Readonly<Record<string, string>>,
): Promise<void> {
  const listed = Object.entries(reviews).map(([run_id, feedback]) => ({ run_id, feedback, timestamp: "" }));
  await writeFile(
    project.path(".assay/greeter/iteration-1/feedback.json"),
    JSON.stringify({ reviews: listed, status: "complete" }),
  );
}

const TONE = {
  file: "references/tone.md",
  anchor: "Be brief.",
  replacement: "Be warm.",
  motivated_by: ["feedback-1"],
};

describe("feedback", () => {
  it("drives a suggestion although every check passes, also in other files of the skill", async () => {
    await using project = await improveProject(FILES, [
      suggests(TONE, "id: feedback-1\neval-1-with_skill-run-1: far too curt"),
    ]);
    expect((await project.assay(...RUN)).exitCode).toBe(0);
    expect((await project.assay(...SUGGEST)).err).toContain("No model was asked");
    await withFeedback(project, {
      "eval-1-with_skill-run-1": "far too curt",
      "eval-9-with_skill-run-1": "what is this",
    });
    const { out, err } = await project.assay(...SUGGEST);
    expect(err).toContain('no run is called "eval-9-with_skill-run-1", so that feedback is ignored');
    expect(out).toContain("+++ b/skills/greeter/references/tone.md");
    expect(out).toContain("+Be warm.");
    const applied = await project.assay(...SUGGEST, "--apply");
    expect(applied.err).toContain("applied");
    expect(await project.text("skills/greeter/references/tone.md")).toBe("Be warm.\n");
    expect(project.git("status", "--porcelain")).toBe(" M skills/greeter/references/tone.md\n");
  });

  it("drives rounds although every check passes", async () => {
    await using project = await improveProject(FILES, [suggests(TONE, "far too curt")]);
    await project.assay(...RUN, "--runs", "1");
    await withFeedback(project, { "eval-1-with_skill-run-1": "far too curt" });
    const { err } = await project.assay(
      "improve",
      "skills/greeter",
      "--rounds",
      "1",
      "--runs",
      "1",
      ...RUN.slice(2),
    );
    expect(err).toContain("Tone.");
    expect(await project.text(".assay/greeter/v1/skill/references/tone.md")).toBe("Be warm.\n");
    expect(await project.text(".assay/greeter/v1/META.yaml")).toContain("references/tone.md");
  });

  it.each(["../other/SKILL.md", "/etc/passwd", "references/secret.md", "evals/evals.json"])(
    "lets no edit reach %s",
    async (file) => {
      await using project = await improveProject({ ...FILES, "outside.md": "Be brief.\n" }, [
        suggests({ ...TONE, file }, "too curt"),
      ]);
      await symlink("../../../outside.md", project.path("skills/greeter/references/secret.md"));
      await project.assay(...RUN);
      await withFeedback(project, { "eval-1-with_skill-run-1": "too curt" });
      const { err, exitCode } = await project.assay(...SUGGEST);
      expect(err).toContain(`the skill has no file ${JSON.stringify(file)} that may be edited`);
      expect(exitCode).toBe(3);
    },
  );
});

it("shows who drafts what agents did in runs that failed", async () => {
  const failing = { ...FILES, "script.json": FILES["script.json"].replace("Hello Ada", "Hello you") };
  await using project = await improveProject(failing, [
    suggests(
      { anchor: "Say hello.", replacement: "Say hello by name.", motivated_by: ["1/contains:Ada"] },
      "looked-around",
    ),
  ]);
  await project.assay(...RUN);
  expect((await project.assay(...SUGGEST)).out).toContain("+Say hello by name.");
});
