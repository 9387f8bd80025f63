import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { tempTree } from "../support/temp-tree.ts";

const NESTED = {
  "plugins/a/.claude/settings.json": "{}",
  "plugins/a/skills/greeter/SKILL.md":
    "---\nname: greeter\ndescription: Greets as well.\n---\n\nSay hello.\n",
  "plugins/a/skills/greeter/evals/evals.json": JSON.stringify({
    skill_name: "greeter",
    evals: [{ id: 1, prompt: "Greet Ada", assay: { checks: [{ type: "contains", needle: "Good day" }] } }],
  }),
};

const RUN_NESTED = ["run", "plugins/a/skills/greeter", ...RUN.slice(2)];

it("is that of the project a command is called in, whichever project the skill belongs to", async () => {
  await using project = await greeterProject(GOOD_REPLIES, NESTED);
  const ran = await assay(RUN_NESTED, { cwd: project.root });
  expect(ran.out).toContain("results: .assay/greeter/iteration-1");
  expect(existsSync(project.path("plugins/a/.assay"))).toBe(false);
  const at = { cwd: project.root };
  expect((await assay(["show", "1"], at)).out).toContain("Greet Ada");
  expect((await assay(["grade", "greeter"], at)).exitCode).toBe(1);
  expect((await assay(["trend"], at)).out).toContain("greeter");
  expect((await assay(["list", "plugins/a", "--harness", "scripted"], at)).out).not.toContain(
    "no earlier run",
  );
  expect((await assay(["clean", "--keep", "0"], at)).out).toContain("removed 1 iteration");
});

it.each(["eval-results", "results"])(
  "is no place to look for skills, also where it is called %s",
  async (name) => {
    await using project = await greeterProject(GOOD_REPLIES);
    const again = () => assay(["run", ".", ...RUN.slice(2), "--workspace", name], { cwd: project.root });
    expect((await again()).out).toContain(`results: ${name}/greeter/iteration-1`);
    expect((await again()).out).toContain(`results: ${name}/greeter/iteration-2`);
    const listed = await assay(["check", "."], { cwd: project.root });
    expect(listed.out).toMatch(/^ok: 1 skill, 1 eval file/);
  },
);

it("is the nested project's own for one who stands in it, also in a directory below", async () => {
  await using project = await greeterProject(GOOD_REPLIES, NESTED);
  const at = { cwd: project.path("plugins/a/skills") };
  const ran = await assay(
    ["run", "greeter", "--harness", "scripted", "--script", "../../../script.json"],
    at,
  );
  expect(ran.out).toContain(`results: ${project.path("plugins/a/.assay/greeter/iteration-1")}`);
  expect((await assay(["show", "1"], at)).exitCode).toBe(0);
  expect((await assay(["show", "1"], { cwd: project.root })).err).toContain("there are no results in");
});

it("does not take another skill of the same name for an earlier state of this one", async () => {
  await using project = await greeterProject(GOOD_REPLIES, NESTED);
  const at = { cwd: project.root };
  await assay(RUN_NESTED, at);
  const other = await assay([...RUN, "--resume"], at);
  expect(other.err).toContain("is about another skill");
  expect(other.err).toContain(project.path("plugins/a/skills/greeter"));
  expect(other.out).toContain("iteration-2");
  expect((await assay([...RUN, "--resume"], at)).err).not.toContain("another skill");
});

it("is nothing that git would commit, but for recordings", async () => {
  await using project = await greeterProject(GOOD_REPLIES, { ".assay/cassettes/kept.json": "{}" });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: project.root, encoding: "utf8" });
  git("init", "-q");
  await assay(RUN, { cwd: project.root });
  expect(existsSync(project.path(".assay/greeter/iteration-1/run.json"))).toBe(true);
  expect(git("ls-files", "-o", "--exclude-standard", "--", ".assay").trim()).toBe(
    ".assay/cassettes/kept.json",
  );
});

it("is where the command is called for a skill of the user's own, and the path is told", async () => {
  await using project = await greeterProject(GOOD_REPLIES);
  await using home = await tempTree({
    ".claude/skills/greeter/SKILL.md":
      "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n",
    ".claude/skills/greeter/evals/evals.json": JSON.stringify({
      skill_name: "greeter",
      evals: [{ id: 1, prompt: "Greet Ada", assay: { checks: [{ type: "contains", needle: "Hello Ada" }] } }],
    }),
    "elsewhere/": "",
  });
  const run = ["run", home.path(".claude/skills/greeter"), "--harness", "scripted"];
  const script = ["--script", project.path("script.json")];
  for (const cwd of [home.path("elsewhere"), home.path(".claude/skills/greeter"), project.path("skills")]) {
    const ran = await assay([...run, ...script], { cwd, env: { HOME: home.root } });
    expect(ran.exitCode).toBe(0);
    const folder = `${cwd === project.path("skills") ? project.root : cwd}/.assay/greeter/iteration-1`;
    expect(existsSync(folder)).toBe(true);
    const told = /results: (\S+)/u.exec(ran.out)?.[1] ?? "";
    expect(folder.endsWith(told)).toBe(true);
  }
  expect(existsSync(home.path(".assay"))).toBe(false);
});
