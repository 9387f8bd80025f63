import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { greeterProject, RUN } from "../support/project.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const LOOK = [{ steps: [{ bash: "find . -type f -not -path './.git/*' | sort" }, { text: "Hello Ada" }] }];
const ONE = ["--case", "1"];

const IGNORED = {
  ".gitignore": "_bmad/\n/.claude/\nbuild/\nlocal.env\n",
  "_bmad/core/config.yaml": "name: core\n",
  ".claude/agents/helper.md": "Help.\n",
  "build/out.js": "1\n",
  "local.env": "A=1\n",
  "kept.txt": "kept\n",
  "skills/greeter/SKILL.md":
    "---\nname: greeter\ndescription: Greets people by name.\n---\n\nRead `{project-root}/_bmad/core/config.yaml`, build a greeting.\n",
  "skills/greeter/references/more.md": "The helper is in .claude/agents/helper.md; see also _bmad/none.\n",
};

async function seenBy(project: TempTree, iteration = 1): Promise<string> {
  const folder = `.assay/greeter/iteration-${iteration}/eval-1/with_skill/run-1`;
  return readFile(project.path(`${folder}/transcript.md`), "utf8");
}

it.each([
  ["with git", true],
  ["without git", false],
])("says what the skill mentions and git ignores, %s, and stages it when asked", async (_, git) => {
  await using project = await greeterProject(LOOK, IGNORED);
  if (git) execFileSync("git", ["init", "-q"], { cwd: project.root });
  const ran = await assay([...RUN, ...ONE], { cwd: project.root });
  expect(ran.err).toContain(
    "SKILL.md mentions _bmad/core/config.yaml, which git ignores, so agents will not find it; stage it with --include _bmad/",
  );
  expect(ran.err).toContain("references/more.md mentions .claude/agents/helper.md");
  expect(ran.err).not.toMatch(/mentions (?:build|local)/u);
  expect(await seenBy(project)).toContain("./kept.txt");
  expect(await seenBy(project)).not.toContain("./_bmad");

  const again = await assay([...RUN, ...ONE, "--include", "_bmad/", "--include", ".claude/agents/*.md"], {
    cwd: project.root,
  });
  expect(again.err).not.toContain("which git ignores");
  const seen = await seenBy(project, 2);
  expect(seen).toContain("./_bmad/core/config.yaml");
  expect(seen).toContain("./.claude/agents/helper.md");
  expect(seen).not.toContain("local.env");
  expect(seen).not.toContain("./build");
});

it("--project-root says which project agents work in a copy of", async () => {
  await using project = await greeterProject(LOOK, { "elsewhere/here.txt": "here\n" });
  await assay([...RUN, ...ONE, "--project-root", "elsewhere"], { cwd: project.root });
  expect(await seenBy(project)).toContain("./here.txt");
  expect(await seenBy(project)).not.toContain("script.json");
});

it("refuses a project root that is the machine, the home directory, or nowhere", async () => {
  await using project = await greeterProject(LOOK);
  await using home = await tempTree({ "notes.txt": "" });
  const at = { cwd: project.root, env: { HOME: home.root } };
  const trying = (root: string) => assay([...RUN, "--project-root", root], at);
  for (const [root, words] of [
    ["/", "the whole machine"],
    [home.root, "your home directory"],
    [`${home.root}/..`, "your home directory"],
    ["nowhere", "no such directory"],
    ["script.json", "no such directory"],
  ] as const) {
    const { exitCode, err } = await trying(root);
    expect(err).toContain(words);
    expect(exitCode).toBe(2);
  }
});
