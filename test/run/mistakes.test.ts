import { execFileSync } from "node:child_process";
import { appendFile, readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { tempTree } from "../support/temp-tree.ts";

const SKILL = "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n";

const JUDGED = {
  "skills/greeter/evals/evals.json": JSON.stringify({
    skill_name: "greeter",
    evals: [{ id: 1, prompt: "Greet Ada", expectations: ["It is polite", "It is short"] }],
  }),
};

describe("a project that is the skill itself", () => {
  it("is run with the results inside it, and the skill that is kept has none of them", async () => {
    await using project = await tempTree({
      "assay.config.json": "{}",
      "SKILL.md": SKILL,
      "evals/evals.json": JSON.stringify({
        skill_name: "greeter",
        evals: [
          { id: 1, prompt: "Greet Ada", assay: { checks: [{ type: "contains", needle: "Hello Ada" }] } },
        ],
      }),
      "script.json": JSON.stringify({ replies: GOOD_REPLIES }),
      "results/old/notes.txt": "x",
    });
    const words = ["run", "--harness", "scripted", "--script", "script.json"];
    for (const workspace of [".assay", "results/new"]) {
      const { exitCode, err } = await assay([...words, "--workspace", workspace], { cwd: project.root });
      expect({ workspace, exitCode, err }).toMatchObject({ exitCode: 0 });
      const [kept = ""] = await readdir(project.path(`${workspace}/greeter/skills`));
      const files = await readdir(project.path(`${workspace}/greeter/skills/${kept}`));
      expect(files).toContain("SKILL.md");
      expect(files).not.toContain(".assay");
    }
  });
});

describe("a mistake is told before anything runs", () => {
  it.each<[string, string[], string, string]>([
    ["a judge nobody knows", ["--grading-provider", "antropic"], 'is "antropic", which is not', "choose one"],
    [
      "a judge that is not installed",
      ["--transport", "cli"],
      "needs claude, which was not found",
      "install it",
    ],
    [
      "a model of nobody's",
      ["--grading-model", "mystery-1"],
      "does not say which service",
      "--grading-provider",
    ],
    [
      "a quote left open",
      ["--harness", "command", "--command", "./agent 'dry"],
      "has a quote that is not closed",
      "close it",
    ],
  ])("%s", async (_, flags, cause, next) => {
    await using project = await greeterProject(GOOD_REPLIES, JUDGED);
    const env = { PATH: "/usr/bin:/bin" };
    const { exitCode, err } = await assay([...RUN, ...flags], { cwd: project.root, env });
    expect(exitCode).toBe(2);
    expect(err).toContain(cause);
    expect(err.slice(err.indexOf("hint:"))).toContain(next);
    await expect(readdir(project.path(".assay"))).rejects.toThrow("ENOENT");
  });

  it("no judge at all: what will stay open, and how to grade later", async () => {
    await using project = await greeterProject(GOOD_REPLIES, JUDGED);
    const first = await assay(RUN, { cwd: project.root, env: { PATH: "/usr/bin:/bin" } });
    expect(first.exitCode).toBe(3);
    expect(first.err).toMatch(
      /^note: no judge is configured: set .*; 2 checks cannot be decided .* assay grade grades later\n/,
    );
    const later = await assay([...RUN, "--no-grade"], { cwd: project.root });
    expect(later.err).not.toContain("no judge");
    expect(later.out).toContain("greeter: ran without grading; grade it with assay grade\n");
  });

  it("nothing needs a judge: not a word about it", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    expect((await assay(RUN, { cwd: project.root })).err).not.toContain("judge");
  });
});

it("names the scripts that nobody has agreed to", async () => {
  await using project = await greeterProject(GOOD_REPLIES, {
    "evals/a/001.yaml":
      "timestamp: 2026-01-01T00:00:00Z\nname: greeter\nprompt: Greet Ada\nexpected: hello\nsetup: echo hi\n",
  });
  const words = ["run", "evals/a", "--skill", "skills/greeter", ...RUN.slice(2)];
  const { exitCode, err } = await assay(words, { cwd: project.root });
  expect(exitCode).toBe(2);
  expect(err).toContain("1 script would run, and nobody has approved that");
  expect(err).toMatch(/setup in evals\/a\/001\.yaml:\d+ \[run\/untrusted-script\]/);
});

describe("--changed", () => {
  it("needs a repository and a ref that is there", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const run = async (ref: string) => assay([...RUN, "--changed", ref], { cwd: project.root });
    const git = gitIn(project.root);
    const outside = await run("main");
    expect(outside).toMatchObject({ exitCode: 2, out: "" });
    expect(outside.err).toMatch(/--changed main: git cannot tell what changed: .*\n.*hint: run it inside/s);
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "all");
    const wrong = await run("no-such-branch");
    expect(wrong.exitCode).toBe(2);
    expect(wrong.err).toMatch(/git cannot tell what changed: .*no-such-branch/);
  });

  it("is content when nothing changed, and still writes the reports that CI picks up", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const git = gitIn(project.root);
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "all");
    const words = [...RUN, "--changed", "HEAD"];
    const nothing = await assay([...words, "--reporter", "terminal,junit=assay.xml"], { cwd: project.root });
    expect(nothing).toMatchObject({ exitCode: 0, out: "" });
    expect(nothing.err).toContain(
      "note: nothing to run: no skill or eval file has changed since HEAD (looked at 1 skill",
    );
    expect(await readFile(project.path("assay.xml"), "utf8")).toContain('tests="0"');
    expect(JSON.parse((await assay([...words, "--json"], { cwd: project.root })).out)).toEqual({
      schema: 1,
      iterations: [],
      failures: [],
      notBegun: [],
    });
    const bench = await assay(["bench", ...words.slice(1)], { cwd: project.root });
    expect(bench).toMatchObject({ exitCode: 0, out: "" });
    const misspelt = await assay([...RUN, "--case", "nope"], { cwd: project.root });
    expect(misspelt.exitCode).toBe(2);
  });

  it("runs what changed", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const git = gitIn(project.root);
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "all");
    await appendFile(project.path("skills/greeter/SKILL.md"), "\nBe kind.\n");
    const { out } = await assay([...RUN, "--changed", "HEAD"], { cwd: project.root });
    expect(out).toContain("greeter: passed");
  });
});

describe("--resume", () => {
  it("says so when there is nothing to go on with", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const first = await assay([...RUN, "--resume"], { cwd: project.root });
    expect(first.err).toContain("note: --resume found nothing to continue for this agent and model");
    const second = await assay([...RUN, "--resume"], { cwd: project.root });
    expect(second.err).not.toContain("found nothing");
  });
});

describe("assay show", () => {
  it("takes as much of a run's name as tells it, and lists what there is otherwise", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await assay([...RUN, "--runs", "2"], { cwd: project.root });
    const shown = async (name: string) => assay(["show", name], { cwd: project.root });
    const folder = ".assay/greeter/iteration-1/eval-2";
    for (const name of ["2", "2/with_skill", "2/with_skill/run-1", folder, `${folder}/with_skill/run-1`])
      expect((await shown(name)).out).toMatch(
        /^greeter iteration-1, 2\/with_skill\/run-1: completed\n  scripted, model/,
      );
    expect((await shown("2/with_skill/run-2")).out).toMatch(/^greeter iteration-1, 2\/with_skill\/run-2: /);
    const wrong = await shown("3");
    expect(wrong.exitCode).toBe(2);
    expect(wrong.err).toMatch(
      /there is no run "3" in .*\n  hint: it has 1\/with_skill\/run-1, 1\/with_skill\/run-2/,
    );
  });
});

describe("a misspelt key that is required", () => {
  it("is pointed out beside what is missing", async () => {
    await using project = await greeterProject(GOOD_REPLIES, {
      "skills/greeter/evals/evals.json": '{"skill_name": "greeter", "evals": [{"id": 1, "promt": "Hi"}]}',
    });
    const { exitCode, err } = await assay(RUN, { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toMatch(/evals\[0\] has no "prompt".*\n  hint: is "promt" a misspelling of it\?/);
  });
});

function gitIn(cwd: string): (...words: string[]) => void {
  return (...words) =>
    void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd,
      stdio: "ignore",
    });
}
