import { execFileSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { agentScript, comparingProject, PLAIN, skillText, WARM } from "./comparing-project.ts";
import { FAIR, twoIterations } from "./warm-judge.ts";

describe("what can be compared beside iterations", () => {
  it("two runs of one case", async () => {
    await using project = await twoIterations();
    const run = (iteration: number, id: number) =>
      `.assay/greeter/iteration-${iteration}/eval-${id}/with_skill/run-1`;
    const { out, exitCode } = await project.assay("compare", run(1, 1), run(2, 1));
    expect(out).toContain("blind: leans to iteration-2/eval-1/with_skill/run-1, not confirmed");
    expect(exitCode).toBe(0);
    expect(await readdir(project.path(".assay/comparisons"))).toHaveLength(1);
    const mixed = await project.assay("compare", run(1, 1), run(2, 2));
    expect(mixed.err).toContain("compare/other-case");
  });

  it("two texts, with what was asked or with a case", async () => {
    await using project = await twoIterations();
    await writeFile(project.path("old.txt"), "hi Ada");
    await writeFile(project.path("new.txt"), "Hello dear Ada");
    const none = await project.assay("compare", "old.txt", "new.txt");
    expect(none).toMatchObject({ exitCode: 2 });
    expect(none.err).toContain("--prompt");
    const { out } = await project.assay("compare", "old.txt", "new.txt", "--prompt", "Greet Ada");
    expect(out).toContain("blind: leans to new.txt, not confirmed (1 of 1 pair of outputs, p = 1.000)");
    const graded = await project.assay(
      "compare",
      "old.txt",
      "new.txt",
      "--skill",
      "skills/greeter",
      "--case",
      "1",
      "--json",
    );
    expect(JSON.parse(graded.out)).toMatchObject({
      flips: null,
      blind: { winner: "TIE", leaning: "new.txt" },
    });
    const [, second] = await readdir(project.path(".assay/comparisons"));
    expect(second).toBeUndefined();
  });

  it("by everyone who sits on the panel, however many models that are", async () => {
    await using project = await comparingProject(FAIR);
    await writeFile(project.path("old.txt"), "hi Ada");
    await writeFile(project.path("new.txt"), "Hello dear Ada");
    const models = ["claude-1", "claude-2", "claude-3", "claude-4"];
    const texts = ["old.txt", "new.txt", "--prompt", "Greet Ada"];
    const { err } = await project.assay("compare", ...texts, "--grading-model", models.join(","));
    expect(err).toContain("at most 8 questions");
    const modelsAsked = project.sim.requests.map(({ seen }) => seen?.model ?? "");
    expect(modelsAsked.toSorted()).toEqual(models.flatMap((model) => [model, model]));
  });

  it("two versions, which are run first: a directory and a git ref", async () => {
    await using project = await comparingProject(FAIR);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
        cwd: project.root,
      });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "plain");
    await mkdir(project.path("older/greeter"), { recursive: true });
    await writeFile(project.path("older/greeter/SKILL.md"), skillText(PLAIN.skill));
    await writeFile(project.path("skills/greeter/SKILL.md"), skillText(WARM.skill));
    await writeFile(project.path("script.json"), agentScript({ Ada: "Hello dear Ada", Bob: "hi Bob" }));
    for (const version of ["older/greeter", "main"]) {
      const { out, err, exitCode } = await project.assay(
        "compare",
        version,
        "skills/greeter",
        "--harness",
        "scripted",
        "--script",
        "script.json",
        "--analyze",
      );
      expect(err, "two cases need five runs before a preference shows").toContain("20 trials");
      expect(out).toContain(`skills/greeter against ${version}`);
      expect(out).toContain("the outputs are the same");
      expect(exitCode).toBe(0);
    }
  });
});
