import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { simProject } from "../support/sim-project.ts";
import { tempTree } from "../support/temp-tree.ts";

const GRADING = ".assay/tidy/iteration-1/eval-1/with_skill/run-1/grading.json";

/** Programs are started in sandboxes: long enough for a machine that is busy with others. */
describe("shell checks", { timeout: 180_000 }, () => {
  it("see the workspace as the agent left it, and leave nothing of their own among its files", async () => {
    await using project = await evals([
      { shell: "grep -q one report.md" },
      { shell: "echo stray > stray.txt; test -f report.md" },
      { shell: "test -f never.md" },
    ]);
    const { exitCode, out } = await project.run("--trust");
    expect(exitCode).toBe(1);
    expect(out).toContain('the command "test -f never.md" succeeds');
    const { expectations } = JSON.parse(await readFile(project.path(GRADING), "utf8")) as {
      expectations: { passed: boolean }[];
    };
    expect(expectations.map(({ passed }) => passed)).toEqual([true, true, false]);
    const shown = await project.assay("show", "tidy/1");
    expect(shown.out).toContain("created report.md");
    expect(shown.out).not.toContain("stray.txt");
  });

  it("run only when somebody agreed to them", async () => {
    await using project = await evals([{ shell: "touch /tmp/shell-check-ran" }]);
    const { exitCode, err } = await project.run();
    expect(exitCode).toBe(2);
    expect(err).toContain("1 script would run, and nobody has approved that: check in evals/evals.json:1");
    expect(err).toContain("--trust");
    expect(existsSync(project.path(".assay/tidy"))).toBe(false);
  });

  it("that are new are not answered from an earlier run", async () => {
    await using project = await evals([{ shell: "true" }]);
    await project.run("--trust");
    await project.write([{ shell: "true" }, { shell: "test -s report.md" }]);
    const { exitCode, out, err } = await project.run("--trust", "--resume");
    expect(`${out}${err}`).toContain("shell checks");
    expect(exitCode).toBe(0);
  });
});

async function evals(checks: readonly object[]) {
  const content = (list: readonly object[]) =>
    JSON.stringify({
      skill_name: "tidy",
      evals: [{ id: 1, prompt: "Write the report", assay: { checks: list } }],
    });
  const tree = await tempTree({
    "assay.config.json": "{}",
    "SKILL.md":
      "---\nname: tidy\ndescription: Tidies reports. Use it for reports.\n---\nWrite tidy reports.\n",
    "evals/evals.json": content(checks),
    "script.json": JSON.stringify({
      replies: [{ steps: [{ bash: "echo one > report.md" }, { text: "Done" }] }],
    }),
  });
  const project = simProject(tree, await startSim(parseScript(JSON.stringify({ replies: ["unused"] }))));
  return {
    ...project,
    write: (list: readonly object[]) => writeFile(project.path("evals/evals.json"), content(list)),
    run: (...more: string[]) =>
      project.assay("run", ".", "--harness", "scripted", "--script", "script.json", ...more),
  };
}
