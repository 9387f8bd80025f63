import { chmod, readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Summary } from "../../src/domain/summary.ts";
import { assay } from "../support/command-line.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

/** Fails in its first runs, as many as it is told to: the count is kept beside it. */
function agent(failures: number): string {
  return `#!/bin/bash
cat >/dev/null
count="$(dirname "$0")/count"
echo x >> "$count"
echo '{"type":"session","skills":["greeter"]}'
if [ "$(wc -l < "$count")" -le ${failures} ]; then echo "I would rather not"; else echo "Hello Ada"; fi
`;
}

async function project(failures: number, variance: object | null): Promise<TempTree> {
  const tree = await tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n",
    "skills/greeter/SKILL.eval.json": JSON.stringify({
      skill_name: "greeter",
      description: "Greets people",
      test_args: "Ada",
      assertions: [{ id: "greets", type: "contains", needle: "Hello Ada" }],
      ...(variance === null ? {} : { variance }),
    }),
    "bin/agent.sh": agent(failures),
  });
  await chmod(tree.path("bin/agent.sh"), 0o755);
  return tree;
}

async function run(tree: TempTree, ...args: readonly string[]) {
  const harness = ["--harness", "command", "--command", tree.path("bin/agent.sh"), "--sandbox", "none"];
  const call = ["run", "skills/greeter", ...harness, "--concurrency", "1", ...args];
  const outcome = await assay(call, { cwd: tree.root, env: { PATH: "/usr/bin:/bin" } });
  const text = await readFile(tree.path(".assay/greeter/iteration-1/summary.json"), "utf8");
  return { ...outcome, summary: JSON.parse(text) as Summary };
}

describe("variance", () => {
  it.each([
    [0, 0, 1],
    [1, 0, 0.8],
    [2, 1, 0.6],
  ])(
    "with %i bad runs of 5 and a stability of 0.8 asked for, exits %i",
    async (failures, exitCode, stability) => {
      await using tree = await project(failures, { n_runs: 5, min_stability: 0.8 });
      const found = await run(tree);
      expect(found).toMatchObject({ exitCode });
      expect(found.summary.cases[0]).toMatchObject({ stability });
      expect(found.out).toContain(` ${5 - failures}/5 `);
      const runs = await readdir(tree.path(".assay/greeter/iteration-1/eval-greeter/with_skill"));
      expect(runs.filter((name) => name.startsWith("run-"))).toHaveLength(5);
      for (const name of runs.filter((one) => one.startsWith("run-"))) {
        const folder = tree.path(`.assay/greeter/iteration-1/eval-greeter/with_skill/${name}`);
        expect(await readdir(folder)).toEqual(
          expect.arrayContaining(["grading.json", "assertions.json", "output.txt"]),
        );
      }
    },
  );

  it("asks for every run where no stability is declared", async () => {
    await using tree = await project(1, { n_runs: 3 });
    expect(await run(tree)).toMatchObject({ exitCode: 1 });
  });

  it("gives way to --runs, which is the total", async () => {
    await using tree = await project(0, { n_runs: 5, min_stability: 0.8 });
    const { summary } = await run(tree, "--runs", "2");
    expect(summary.cases[0]?.trials).toHaveLength(2);
  });

  it("is one run where nothing is said, and JUnit tells the same as the exit code", async () => {
    await using tree = await project(1, null);
    const found = await run(tree, "--reporter", "terminal,junit=out/report.xml");
    expect(found).toMatchObject({ exitCode: 1 });
    expect(found.out).toContain("greeter: FAILED");
    const xml = await readFile(tree.path("out/report.xml"), "utf8");
    expect(xml).toContain('<testsuites name="assay" tests="1" failures="1" errors="0">');
    expect(xml).toContain('<testcase name="L1 greets: the output contains &quot;Hello Ada&quot;"');
  });
});
