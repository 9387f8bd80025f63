import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { FORMAT_NAMES } from "../../src/load/formats/index.ts";
import { schemaProblems } from "../../src/lib/shape/schema-problems.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { simProject } from "../support/sim-project.ts";
import { tempTree } from "../support/temp-tree.ts";

const SKILL =
  "---\nname: greeter\ndescription: Greets people by name. Use for welcomes.\n---\n\nSay hello.\n";
const ALONE = { "skills/greeter/SKILL.md": SKILL, ".git/HEAD": "ref: refs/heads/main\n" };
const GREETING = { steps: [{ skill: "greeter" }, { text: "Hello Ada, welcome on board" }] };
const JUDGE = {
  when: { system: "You grade one run" },
  reply: {
    verdicts: [{ criterion: "greets Ada", quote: "Hello Ada, welcome on board", source: "output" }],
  },
};
/** Nothing is installed there, so that no test depends on what this machine has. */
const env = { PATH: "" };

describe("assay init", () => {
  test.each(FORMAT_NAMES)("writes a first %s case that check has nothing against", async (format) => {
    await using project = await tempTree(ALONE);
    const started = await assay(["init", "--to", format, "--yes"], { cwd: project.root, env });
    expect(started).toMatchObject({ exitCode: 0 });
    const checked = await assay(["check", "--strict"], { cwd: project.root, env });
    expect(checked.out).toMatch(/ok: 1 skill, 1 eval file, 1 case; 0 errors, 0 notes/);
    expect(checked.exitCode).toBe(0);
  });

  test("leads to a verdict with the next command", async () => {
    const tree = await tempTree({ ...ALONE, "script.json": JSON.stringify({ replies: [GREETING] }) });
    await using project = simProject(tree, await startSim(parseScript(JSON.stringify({ rules: [JUDGE] }))));
    const words = ["--prompt", "Greet Ada", "--expected", "The answer greets Ada by name"];
    expect(await project.assay("init", ...words)).toMatchObject({ exitCode: 0 });
    const ran = await project.assay("run", "--harness", "scripted", "--script", "script.json");
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.out).toContain("1 of 1");
  });

  test("says what to fix first where the skill cannot be used", async () => {
    const broken = SKILL.replace("description: Greets", 'description: "Greets');
    await using project = await tempTree({ ...ALONE, "skills/greeter/SKILL.md": broken });
    const { err, exitCode } = await assay(["init", "--yes"], { cwd: project.root, env });
    expect(exitCode).toBe(0);
    expect(err).toContain("error: the frontmatter is not valid YAML");
    expect(err).toMatch(/\nNext: fix this error, then\n {2}assay check skills\/greeter\n$/);
    expect(err).not.toContain("assay run");
  });

  test("tells editors what the configuration may say", async () => {
    await using project = await tempTree(ALONE);
    await assay(["init", "--yes"], { cwd: project.root, env });
    const config = JSON.parse(await readFile(project.path("assay.config.json"), "utf8")) as {
      $schema: string;
    };
    const schema: unknown = JSON.parse(await readFile(project.path(config.$schema), "utf8"));
    expect(schemaProblems(schema as Record<string, unknown>, config)).toEqual([]);
    expect(await readFile(project.path(".assay/.gitignore"), "utf8")).toContain("*");
  });

  test("asks for what was not said, at a terminal", async () => {
    await using project = await tempTree(ALONE);
    const asked: string[] = [];
    const answer = (question: string): string => {
      asked.push(question);
      if (question.startsWith("Format")) return "skillet";
      return question.startsWith("What would") ? "Greet Ada" : "";
    };
    const { exitCode, err } = await assay(["init"], { cwd: project.root, env, answer });
    expect({ exitCode, asked: asked.length }).toEqual({ exitCode: 0, asked: 3 });
    const written = await readFile(project.path("skills/greeter/evals/001.yaml"), "utf8");
    expect(written).toContain("prompt: Greet Ada");
    expect(written).toContain("Greets people by name");
    expect(err).toContain("put a real request into skills/greeter/evals/001.yaml");
  });

  test("asks which skill comes first, and names the others", async () => {
    await using project = await tempTree({
      ...ALONE,
      "skills/pdf/SKILL.md": SKILL.replace("greeter", "pdf"),
    });
    const answer = (question: string): string => (question.includes("Which one first?") ? "pdf" : "");
    const { out, err } = await assay(["init"], { cwd: project.root, env, answer });
    expect(out).toContain("wrote skills/pdf/evals/evals.json");
    expect(err).toContain("Also without evals: assay init skills/greeter");
  });

  test("overwrites nothing and says what it left as it is", async () => {
    await using project = await tempTree({
      ...ALONE,
      ".github/workflows/assay.yml": "mine",
      "assay.config.json": "{}",
      ".gitignore": "node_modules",
    });
    const { out } = await assay(["init", "--yes"], { cwd: project.root, env });
    expect(out).toContain("kept  assay.config.json");
    expect(out).toContain("kept  .github/workflows/assay.yml");
    expect(await readFile(project.path(".github/workflows/assay.yml"), "utf8")).toBe("mine");
    expect(await readFile(project.path(".gitignore"), "utf8")).toBe("node_modules\n.assay/\n");
    const again = await assay(["init", "--yes"], { cwd: project.root, env });
    expect(again.exitCode).toBe(2);
    expect(again.err).toContain("greeter has evals already");
    expect(await readFile(project.path(".gitignore"), "utf8")).toBe("node_modules\n.assay/\n");
  });

  test("writes the workflow that the documentation explains", async () => {
    await using project = await tempTree({ ...ALONE, ".github/": "" });
    await assay(["init", "--yes"], { cwd: project.root, env });
    const page = await readFile(new URL("../../docs/ci.md", import.meta.url), "utf8");
    const [, shown] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    expect(await readFile(project.path(".github/workflows/assay.yml"), "utf8")).toBe(shown);
  });

  test.each([
    { format: "skill-creator", file: "skills/pdf/evals/evals.json" },
    { format: "skillet", file: "skills/pdf/evals/001.yaml" },
    { format: "clauditor", file: "skills/pdf/SKILL.eval.json" },
    { format: "bmad", file: "evals/pdf/evals.json" },
  ])("writes the $format file that the documentation shows", async ({ format, file }) => {
    await using project = await tempTree({
      ".git/HEAD": "",
      "skills/pdf/SKILL.md": SKILL.replace("greeter", "pdf"),
    });
    const words = ["Merge a.pdf and b.pdf", "One file has all pages of both, in that order"] as const;
    const args = ["init", "--to", format, "--prompt", words[0], "--expected", words[1]];
    await assay(args, { cwd: project.root, env });
    const page = await readFile(new URL("../../docs/first-verdict.md", import.meta.url), "utf8");
    const [, shown = ""] = page.split(`, \`${file}\``);
    const [, block = ""] = /```\w+\n(.*?)```/s.exec(shown) ?? [];
    const undated = (text: string): string => text.replace(/^timestamp: .*$/m, "timestamp: now");
    expect(undated(await readFile(project.path(file), "utf8"))).toBe(undated(block));
  });

  test.each([
    { args: ["nowhere"], says: "there is no skill at nowhere" },
    { args: ["--to", "csv"], says: "csv" },
    { args: ["skills/greeter/SKILL.md", "--ci", "jenkins"], says: "jenkins" },
  ])("refuses $args", async ({ args, says }) => {
    await using project = await tempTree(ALONE);
    const { exitCode, err } = await assay(["init", ...args, "--yes"], { cwd: project.root, env });
    expect(exitCode).toBe(2);
    expect(err).toContain(says);
  });

  test("says that there is no skill where there is none", async () => {
    await using project = await tempTree({ "readme.txt": "" });
    const { exitCode, err } = await assay(["init"], { cwd: project.root, env });
    expect(exitCode).toBe(2);
    expect(err).toContain("a skill is a folder with a SKILL.md in it");
  });
});
