import { chmod, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { FIRE_CANARY, run, triggerProject } from "../support/trigger-project.ts";

const SKILL = (body: string) => `---\nname: greeter\ndescription: Greets people.\n---\n\n${body}\n`;
/** Says what the last line of the installed skill says. */
const AGENT = `#!/bin/bash\ncat > /dev/null\ntail -n 1 .claude/skills/greeter/SKILL.md\n`;

interface Greeting {
  readonly needle?: string;
  readonly says?: string;
}

function files({ needle = "Hello", says = "Hello" }: Greeting): Record<string, string> {
  const evals = [1, 2].map((id) => ({
    id,
    prompt: `Greet number ${id}.`,
    assay: { checks: [{ id: "greets", type: "contains", needle }] },
  }));
  return {
    "skills/greeter/SKILL.md": SKILL(says),
    "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
  };
}

/** An iteration of each greeting, one after the other. */
async function iterations(runs: number, ...greetings: readonly Greeting[]): Promise<TempTree> {
  const tree = await tempTree({ "assay.config.json": "{}", "agent.sh": AGENT, ...files({}) });
  await chmod(tree.path("agent.sh"), 0o755);
  for (const greeting of greetings) {
    for (const [path, text] of Object.entries(files(greeting))) await writeFile(tree.path(path), text);
    const agent = ["--harness", "command", "--command", tree.path("agent.sh"), "--sandbox", "none"];
    await assay(["run", "skills/greeter", "--runs", String(runs), ...agent], { cwd: tree.root });
  }
  return tree;
}

describe("compare --flips", () => {
  it("calls moved what one run of each cannot tell from chance, and exits 0", async () => {
    await using tree = await iterations(1, {}, { says: "Bye" });
    const { out, exitCode } = await assay(["compare", "1", "2", "--flips"], { cwd: tree.root });
    expect(out).toContain("checks: 0 regressed, 2 moved");
    expect(out).toContain(
      "what moved may be chance; 3 runs of each case, before and now, would settle it if this continues",
    );
    expect(exitCode).toBe(0);
  });

  it("exits 1 when the checks got worse beyond chance, alone or together", async () => {
    await using tree = await iterations(5, {}, { says: "Bye" });
    const { out, exitCode } = await assay(["compare", "1", "2", "--flips"], { cwd: tree.root });
    expect(out).toContain("checks: 2 regressed");
    expect(out).toMatch(/regressed {2}1: .*\(5 of 5 -> 0 of 5 runs\)/);
    expect(out).toContain("WORSE: all checks together -100 points, p < 0.001");
    expect(exitCode).toBe(1);
    const back = await assay(["compare", "2", "1", "--flips", "--json"], { cwd: tree.root });
    expect(back.exitCode).toBe(0);
    expect(JSON.parse(back.out)).toMatchObject({
      flips: [{ change: "fixed", before: { passed: 0, runs: 5 }, after: { passed: 5, runs: 5 } }, {}],
      together: { change: "fixed", difference: 1 },
    });
  });

  it("does not compare a check that asks for something else under the same id", async () => {
    await using tree = await iterations(4, {}, { needle: "Hola" });
    const { out, exitCode } = await assay(["compare", "1", "2", "--flips"], { cwd: tree.root });
    expect(out).toContain("checks: 0 regressed, 2 changed");
    expect(exitCode).toBe(0);
  });

  it("holds trigger queries to how they once fired", async () => {
    const queries = [1, 2, 3, 4].map((n) => ({ query: `please greet ${n}`, should_trigger: true }));
    await using tree = await triggerProject({
      queries,
      arms: `${FIRE_CANARY}\n*greet*) [ -e "$(dirname "$0")/.assay/mute" ] || fire "$ASSAY_SKILL" ;;`,
    });
    await run(tree);
    await run(tree);
    await writeFile(tree.path(".assay/mute"), "");
    await run(tree);
    const same = await assay(["compare", "1", "2", "--flips"], { cwd: tree.root });
    expect(same).toMatchObject({ exitCode: 0, out: expect.stringContaining("checks: 0 regressed, 4 same") });
    const worse = await assay(["compare", "2", "3", "--flips"], { cwd: tree.root });
    expect(worse.out).toMatch(/moved {6}trigger-q001: .*"please greet 1" \(3 of 3 -> 0 of 3 runs\)/);
    expect(worse.out).toContain("WORSE: all checks together -100 points, p < 0.001");
    expect(worse.exitCode).toBe(1);
  });
});
