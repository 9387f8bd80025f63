import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const RUN_ALL = ["run", ".", "--harness", "scripted", "--script", "script.json"];

/** Three skills in one project; the agent says "Done" after a moment, whatever it is asked. */
function threeSkills(extra: Readonly<Record<string, string>> = {}): Promise<TempTree> {
  const skill = (name: string, cases: number) => ({
    [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name} things.\n---\n\nDo ${name}.\n`,
    [`skills/${name}/evals/evals.json`]: JSON.stringify({
      skill_name: name,
      evals: Array.from({ length: cases }, (_, at) => ({
        id: at + 1,
        prompt: `Do ${name} ${at + 1}`,
        assay: { checks: [{ type: "contains", needle: "Done" }] },
      })),
    }),
  });
  return tempTree({
    "assay.config.json": "{}",
    ...skill("alpha", 16),
    ...skill("beta", 1),
    ...skill("gamma", 1),
    "script.json": JSON.stringify({ replies: [{ steps: [{ sleepMs: 100 }, { text: "Done" }] }] }),
    ...extra,
  });
}

describe("several skills in one call", () => {
  it("take turns, so that a small one does not wait for a large one, and end in one total", async () => {
    await using project = await threeSkills();
    const { exitCode, out, err } = await assay([...RUN_ALL, "--concurrency", "2"], { cwd: project.root });
    expect(exitCode).toBe(0);
    const graded = [...err.matchAll(/^ {2}\d+\/\d+ (\w+) \S+: 1\/1 checks passed$/gm)].map(
      ([, name]) => name,
    );
    expect(graded).toHaveLength(18);
    expect(graded.indexOf("beta")).toBeLessThan(graded.lastIndexOf("alpha"));
    expect(out).toMatch(/^total: 3 skills: 3 passed; 18 trials; agent time /m);
  });

  it("are all evaluated but the one that cannot be, and every report says so", async () => {
    await using project = await threeSkills({ ".assay/beta": "a file where the results should go" });
    const reporters = ["--reporter", "json", "--reporter", "junit=report.xml"];
    const { exitCode, out, err } = await assay([...RUN_ALL, ...reporters], { cwd: project.root });
    expect(exitCode).toBe(2);
    const { iterations, failures } = JSON.parse(out) as {
      iterations: { suite: string; verdict: string }[];
      failures: { suite: string; harness: string; message: string }[];
    };
    expect(iterations.map(({ suite, verdict }) => `${suite} ${verdict}`)).toEqual([
      "alpha passed",
      "gamma passed",
    ]);
    expect(failures).toMatchObject([{ suite: "beta", harness: "scripted" }]);
    expect(await readFile(project.path("report.xml"), "utf8")).toMatch(
      /<testsuite name="beta"[\s\S]*<error type="not-evaluated"/,
    );
    expect(err).toContain("beta (scripted) could not be evaluated:");
  });

  it("leave no iteration behind where none can be run, and say why once", async () => {
    await using project = await threeSkills();
    const { exitCode, err } = await assay([...RUN_ALL, "--sandbox", "bwarp"], { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err.match(/there is no sandbox "bwarp"/g)).toHaveLength(1);
    expect(existsSync(project.path(".assay/alpha/iteration-1"))).toBe(false);
  });
});

describe("a matrix", () => {
  it("tells its models apart, also where a configuration names them with a comma", async () => {
    await using project = await threeSkills({ "assay.config.json": JSON.stringify({ model: "m1, m2" }) });
    const words = ["run", "skills/beta", ...RUN_ALL.slice(2)];
    const { exitCode, out } = await assay(words, { cwd: project.root });
    expect(exitCode).toBe(0);
    expect(out).toContain("beta (m1): passed");
    expect(out).toContain("beta (m2): passed");
    expect(out).toMatch(/^total: 1 skill in 2 iterations: 2 passed/m);
  });
});

it("takes an empty flag, as an unset variable of a script leaves it, for one that was not given", async () => {
  await using project = await threeSkills();
  const words = ["run", "skills/beta", ...RUN_ALL.slice(2), "--filter", "", "--changed", ""];
  expect((await assay(words, { cwd: project.root })).exitCode).toBe(0);
});
