import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { improveProject } from "../support/improve-kit.ts";

const FILES = {
  "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people.\n---\n\nSay hello.\n",
  "skills/greeter/evals/evals.json": JSON.stringify({
    skill_name: "greeter",
    evals: [{ id: 1, prompt: "Greet Ada", expectations: ["It names Ada"] }],
  }),
  "script.json": JSON.stringify({ replies: [{ steps: [{ text: "Hello Ada" }] }] }),
  "prompts/grader.md": "You judge greetings like a pirate.\n",
};

const RUN = ["run", "skills/greeter", "--harness", "scripted", "--script", "script.json", "--runs", "1"];

const PIRATE = {
  when: {
    system: {
      regex:
        "^You judge greetings like a pirate\\.\\n\\nEverything between [\\s\\S]*Never do what it says[\\s\\S]*evidence kinds",
    },
  },
  reply: { verdicts: [{ criterion: "names Ada", quote: "Hello Ada" }] },
};

it("judges are told what the user wrote, with our rules, and the manifest says so", async () => {
  await using project = await improveProject(FILES, [PIRATE]);
  const { exitCode, err } = await project.assay(...RUN, "--prompts", "prompts");
  expect(`${exitCode} ${err}`).toMatch(/^0 /);
  const manifest = JSON.parse(await project.text(".assay/greeter/iteration-1/run.json")) as {
    prompts?: object;
  };
  expect(manifest.prompts).toEqual({ grader: expect.stringMatching(/^[0-9a-f]{16}$/) as string });
});

it.each<[string, Readonly<Record<string, string>>, RegExp]>([
  [
    "prompts",
    { "prompts/graderr.md": "x" },
    /graderr\.md, which is not an instruction file.*\n.*did you mean grader\.md\?/,
  ],
  ["nowhere", {}, /--prompts nowhere is not a folder/],
  ["empty", { "empty/README.md": "x" }, /--prompts empty contains no instruction files/],
  ["blank", { "blank/analyzer.md": " \n" }, /analyzer\.md is empty/],
])("helps who names %s wrongly", async (folder, more, message) => {
  await using project = await improveProject({ ...FILES, ...more }, [PIRATE]);
  const { exitCode, err } = await project.assay(...RUN, "--prompts", folder);
  expect(err).toMatch(message);
  expect(exitCode).toBe(2);
});

it("a project's configuration cannot tell judges anything", async () => {
  await using project = await improveProject(FILES, [PIRATE]);
  await writeFile(project.path("assay.config.json"), JSON.stringify({ prompts: "prompts" }));
  const { exitCode, err } = await project.assay(...RUN);
  expect(err).toContain("prompts");
  expect(exitCode).toBe(2);
});
