import { execFileSync } from "node:child_process";
import { chmod, readFile, rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
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

it("leads nobody to hand secrets to an agent, whatever the skill mentions", async () => {
  await using project = await greeterProject(LOOK, {
    ...IGNORED,
    ".gitignore": ".env\n",
    ".env": "TOKEN=1\n",
    "skills/greeter/references/more.md": "Read .env first.\n",
  });
  const { err } = await assay([...RUN, ...ONE], { cwd: project.root });
  expect(err).toContain(
    "mentions .env, which git ignores and which may hold secrets, so agents do not get it",
  );
  expect(err).not.toContain("--include .env");
});

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

it.each([
  ["a slip", IGNORED, ["--include", "_bmd/"], "--include _bmd/ matches no file of the project"],
  ["what nobody may see", IGNORED, ["--include", ".git/"], "--include .git/ matches no file of the project"],
  ["outside", IGNORED, ["--include", "../../etc/*"], "--include ../../etc/* matches no file of the project"],
])("says where --include names nothing: %s", async (_, files, args, words) => {
  await using project = await greeterProject(LOOK, files);
  const { err, exitCode } = await assay([...RUN, ...ONE, ...args, "--include", "_bmad/"], {
    cwd: project.root,
  });
  expect(exitCode).toBe(0);
  expect(err).toContain(`note: ${words}`);
  expect(err.split("matches no file")).toHaveLength(2);
});

it("says that there is no project to include anything of", async () => {
  await using skills = await greeterProject(LOOK);
  await rm(skills.path("assay.config.json"));
  const { err } = await assay([...RUN, ...ONE, "--include", "x/"], { cwd: skills.root });
  expect(err).toContain("no project was found around the skill; set it with --project-root");
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

describe("every command that stages a project takes --project-root and --include", () => {
  const STAGE = ["--project-root", "elsewhere", "--include", "secret/"];
  const AGENT = "#!/bin/sh\ncat > /dev/null\nfind . -type f\n";

  async function elsewhere(): Promise<TempTree> {
    const project = await greeterProject([], {
      "elsewhere/.gitignore": "secret/\n",
      "elsewhere/secret/kept.txt": "kept\n",
      "skills/greeter/evals/evals.json": JSON.stringify({
        skill_name: "greeter",
        evals: [
          { id: 1, prompt: "Greet", assay: { checks: [{ type: "contains", needle: "secret/kept.txt" }] } },
        ],
      }),
      "agent.sh": AGENT,
    });
    await chmod(project.path("agent.sh"), 0o755);
    return project;
  }

  const agentOf = (project: TempTree) => ["--harness", "command", "--command", project.path("agent.sh")];

  it("capture", async () => {
    await using project = await elsewhere();
    const at = { cwd: project.root };
    const { exitCode, err } = await assay(
      ["capture", "skills/greeter", "--out", "kept.txt", ...STAGE, ...agentOf(project)],
      at,
    );
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 0/);
    const seen = await readFile(project.path("kept.txt"), "utf8");
    expect(seen).toContain("secret/kept.txt");
    expect(seen).not.toContain("script.json");
    const { exitCode: refused } = await assay(["capture", "skills/greeter", "--project-root", "/"], at);
    expect(refused).toBe(2);
  });

  it("improve, in rounds", async () => {
    await using project = await elsewhere();
    const env = { ANTHROPIC_API_KEY: "not-a-real-key", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };
    const words = ["improve", "skills/greeter", "--rounds", "1", "--runs", "1", ...agentOf(project)];
    const { exitCode, err, out } = await assay([...words, ...STAGE], { cwd: project.root, env });
    expect(`exit ${exitCode}: ${err}${out}`).toMatch(/^exit 0/);
    expect(await seenBy(project)).toContain("secret/kept.txt");
    expect(await seenBy(project)).not.toContain("script.json");
  });

  it("controls", async () => {
    await using project = await greeterProject([], IGNORED);
    const at = { cwd: project.root };
    expect((await assay(["controls", "skills/greeter"], at)).err).toContain("stage it with --include _bmad/");
    const included = ["--include", "_bmad/", "--include", ".claude/"];
    const { exitCode, err } = await assay(["controls", "skills/greeter", ...included], at);
    expect(`exit ${exitCode}: ${err}`).toMatch(/^exit 0/);
    expect(err).not.toContain("which git ignores");
  });

  it("grade, for evals that name files of that project", async () => {
    await using project = await elsewhere();
    const evals = {
      skill_name: "greeter",
      evals: [{ id: 1, prompt: "Greet", files: ["input.txt"], expectations: ["It greets"] }],
    };
    await using outside = await tempTree({
      "greeter/evals.json": JSON.stringify(evals),
      "input.txt": "in\n",
    });
    const target = ["--evals", outside.path("greeter/evals.json"), "--project-root", outside.root];
    const run = ["run", "skills/greeter", ...agentOf(project), "--no-grade", ...target];
    expect((await assay(run, { cwd: project.root })).err).not.toContain("error");
    const graded = await assay(["grade", ...target], { cwd: project.root });
    expect(graded.err).not.toContain("cannot be used");
  });
});
