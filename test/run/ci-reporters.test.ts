import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { assay } from "../support/command-line.ts";
import { greeterProject, RUN } from "../support/project.ts";

const HOSTILE = "Bye\n::error::pwned\n## PASSED\n<script>x</script> @everyone | [a](http://evil) `x`";

describe("reporters for CI services", () => {
  test("annotate the case in its eval file", async () => {
    await using project = await greeterProject([{ steps: [{ text: "Bye" }] }]);
    const { exitCode, out } = await assay([...RUN, "--reporter", "github"], { cwd: project.root });
    expect(exitCode).toBe(1);
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^::error file=skills\/greeter\/evals\/evals\.json,line=1,col=\d+,title=greeter 1%3A [^:]+::.*Hello Ada/,
    );
  });

  test("stay within what GitHub shows and say how many more there are", async () => {
    const checks = Array.from({ length: 30 }, (_, index) => ({ type: "contains", needle: `word ${index}` }));
    const evals = JSON.stringify({
      skill_name: "greeter",
      evals: [{ id: 1, prompt: "Greet Ada", assay: { checks } }],
    });
    await using project = await greeterProject([{ steps: [{ text: "Bye" }] }], {
      "skills/greeter/evals/evals.json": evals,
    });
    const { out } = await assay([...RUN, "--reporter", "github"], { cwd: project.root });
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe("::error title=21 more::assay show --failed has all of them");
  });

  test("show something of every skill, however much fails in one", async () => {
    const checks = Array.from({ length: 30 }, (_, index) => ({ type: "contains", needle: `word ${index}` }));
    const evalsOf = (skill_name: string, some: object[]) =>
      JSON.stringify({ skill_name, evals: [{ id: 1, prompt: "Greet Ada", assay: { checks: some } }] });
    await using project = await greeterProject([{ steps: [{ text: "Bye" }] }], {
      "skills/greeter/evals/evals.json": evalsOf("greeter", checks),
      "skills/waver/SKILL.md": "---\nname: waver\ndescription: Waves to people.\n---\n\nWave.\n",
      "skills/waver/evals/evals.json": evalsOf("waver", checks.slice(0, 1)),
    });
    const [, , ...words] = RUN;
    const { out } = await assay(["run", "skills", ...words, "--reporter", "github"], { cwd: project.root });
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines.slice(0, 2).map((line) => /title=(\w+)/.exec(line)?.[1])).toEqual(["greeter", "waver"]);
    expect(lines.at(-1)).toBe("::error title=22 more::assay show --failed has all of them");
  });

  test("let nothing that an agent says become a command, a heading or a link", async () => {
    const evals = JSON.stringify({
      skill_name: "greeter",
      evals: [
        { id: 1, prompt: HOSTILE, assay: { checks: [{ type: "not_contains", needle: "pwned" }] } },
        { id: 2, name: HOSTILE, prompt: "x", assay: { checks: [{ type: "contains", needle: HOSTILE }] } },
      ],
    });
    await using project = await greeterProject([{ steps: [{ text: HOSTILE }] }], {
      "skills/greeter/evals/evals.json": evals,
    });
    const reporters = "github,markdown=report.md,jsonl=events.jsonl";
    const { out } = await assay([...RUN, "--reporter", reporters], { cwd: project.root });
    for (const line of out.trimEnd().split("\n")) expect(line).toMatch(/^::error file=[^:]*::/);
    const page = await readFile(project.path("report.md"), "utf8");
    expect(page.match(/^#+ .*$/gm)).toEqual(["## greeter: FAILED"]);
    expect(page).not.toMatch(/<script|@everyone|\]\(|http:\/\/|`/);
    const lines = (await readFile(project.path("events.jsonl"), "utf8")).trimEnd().split("\n");
    const receipt = JSON.parse(lines.at(-1) ?? "") as object;
    expect(receipt).toMatchObject({
      kind: "receipt",
      events: lines.length - 1,
      iterations: [{ suite: "greeter", verdict: "failed" }],
    });
  });
});
