import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { greeterProject, journal, RUN } from "../support/project.ts";

/** The scan refuses such skills at first. */
const TRUSTED = [...RUN, "--trust"];
const SECRET = "correct-horse-battery-staple";

/** A pull request's skill that links to what only the user's checkout holds. */
async function linkedProject(files: readonly string[] = []) {
  const project = await greeterProject(
    [
      {
        steps: [{ bash: "cat .claude/skills/greeter/* secrets/* 2>/dev/null; true" }, { text: "Hello Ada" }],
      },
    ],
    {
      ".gitignore": ".env\nprivate.json\n",
      ".env": `PASS_PHRASE=${SECRET}\n`,
      "private.json": `{"phrase":"${SECRET}"}\n`,
      "shared/style.md": "Be kind.\n",
      "skills/greeter/style.md": "->../../shared/style.md",
      "skills/greeter/inner.md": "->SKILL.md",
      "skills/greeter/env": "->../../.env",
      "skills/greeter/data": "->../../private.json",
      "skills/greeter/config": "->../../.git/config",
      "skills/greeter/evals/evals.json": JSON.stringify({
        skill_name: "greeter",
        evals: [
          { id: 1, prompt: "Greet Ada", files, assay: { checks: [{ type: "contains", needle: "Hello" }] } },
        ],
      }),
    },
  );
  execFileSync("git", ["init", "-q"], { cwd: project.root });
  execFileSync("git", ["config", "remote.origin.url", `https://x:${SECRET}@example.com`], {
    cwd: project.root,
  });
  return project;
}

/** Every file of the results that holds the secret. */
function leaks(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !lstatSync(path).isDirectory())
    .filter((path) => readFileSync(path, "utf8").includes(SECRET));
}

describe("links of a skill", { timeout: 120_000 }, () => {
  it("are not followed to what the workspace does not hold, and that is said", async () => {
    await using project = await linkedProject();
    const refused = await assay(RUN, { cwd: project.root });
    expect(refused).toMatchObject({ exitCode: 2, out: "" });
    expect(refused.err).toContain('skills/greeter/env:1:1 note: high risk: this link leads to "../../.env"');
    expect((await assay(TRUSTED, { cwd: project.root })).exitCode).toBe(0);
    const run = (await journal(project.root)).find((one) => one.kind === "trial-finished")?.run;
    const left = run?.notes.filter((note) => note.includes("points outside the skill")) ?? [];
    expect(left.map((note) => /link (\S+)/.exec(note)?.[1] ?? note).toSorted()).toEqual([
      "config",
      "data",
      "env",
    ]);
    expect(leaks(project.path(".assay"))).toEqual([]);
    const transcript = project.path(".assay/greeter/iteration-1/eval-1/with_skill/run-1/transcript.jsonl");
    expect(readFileSync(transcript, "utf8")).toContain("Be kind.");
  });

  it("are kept with the skill only where they stay in it", async () => {
    await using project = await linkedProject();
    await assay(TRUSTED, { cwd: project.root });
    const skills = project.path(".assay/greeter/skills");
    const [digest = ""] = readdirSync(skills);
    expect(readdirSync(join(skills, digest)).toSorted()).toEqual(["SKILL.md", "inner.md"]);
  });

  it.each(["env", "data", "config", ".git/config", ".env"])(
    "give a case no input from elsewhere: %s",
    async (file) => {
      await using project = await linkedProject([file]);
      const { exitCode, err, out } = await assay(TRUSTED, { cwd: project.root });
      expect(exitCode).not.toBe(0);
      expect(`${err}${out}`).toMatch(/points outside the skill|private to the project/);
      expect(leaks(project.path(".assay"))).toEqual([]);
    },
  );
});
