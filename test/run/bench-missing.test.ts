import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Summary } from "../../src/domain/summary.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELLO, HELPS, json, SKILL } from "../support/greeters.ts";
import { journal } from "../support/project.ts";

describe("results that a benchmark misses", () => {
  it("are all of them where every agent crashes, and the exit code says so", async () => {
    await using project = await greeters(3, [{ steps: [{ exit: 3 }] }]);
    const { exitCode, out } = await assay(BENCH, { cwd: project.root });
    expect(out).toMatch(/^ {2}Fix the setup first: no run finished/m);
    expect(exitCode).toBe(3);
  });

  it("leaves a baseline out that reached the skill all the same", async () => {
    await using project = await greeters(1, [{ steps: HELLO }]);
    const { exitCode, out } = await assay([...BENCH, "--smoke"], { cwd: project.root });
    expect(out).toContain("without_skill: no checks scored; 0 of 1 trials counted; left out: 1 invalid");
    expect(exitCode).toBe(3);
  });

  it("says why results are missing, once per cause, in every report", async () => {
    const evals = [1, 2].map((id) => ({
      id,
      prompt: `Greet ${id}.`,
      expectations: ["It is polite", "It is short"],
    }));
    await using project = await greeters(2, [{ steps: HELLO }], {
      "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
    });
    const { out } = await assay([...BENCH, "--smoke"], { cwd: project.root });
    const folder = project.path(".assay/greeter/iteration-1");
    const markdown = await readFile(join(folder, "benchmark.md"), "utf8");
    for (const text of [out, markdown]) {
      expect(text.match(/with_skill: 4 checks unscored in 2 runs: \S/g)).toHaveLength(1);
      expect(text.match(/without_skill: 2 runs left out \(invalid\): \S/g)).toHaveLength(1);
    }
    const { benchmark } = await json<Summary>(join(folder, "summary.json"));
    expect(benchmark?.arms.map(({ missing }) => missing)).toEqual([
      [{ kind: "unscored", reason: expect.stringContaining("judge"), checks: 4, runs: 2 }],
      [{ kind: "left-out", status: "invalid", reason: expect.stringContaining("skill"), runs: 2 }],
    ]);
  });

  it("leaves a baseline out that was offered the skill, as the requests to its model show", async () => {
    const fixture = ".claude/skills/greeter/SKILL.md";
    const evals = [
      {
        id: 1,
        prompt: "Greet.",
        files: [fixture],
        assay: { checks: [{ type: "contains", needle: "Hello" }] },
      },
    ];
    await using project = await greeters(1, [], {
      "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
      [`skills/greeter/${fixture}`]: SKILL("Smuggled in."),
    });
    await using sim = await startSim(parseScript(JSON.stringify({ rules: [{ reply: "Hello" }] })));
    const env = { ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "any-key-will-do" };
    const { exitCode } = await assay(
      ["bench", "skills/greeter", "--harness", "builtin", "--smoke", "--workspace", ".assay"],
      {
        cwd: project.root,
        env,
      },
    );
    expect(exitCode).toBe(3);
    const finished = (await journal(project.root)).filter((event) => event.kind === "trial-finished");
    expect(finished.find(({ trial }) => trial.variant === "without_skill")?.run.outcome).toEqual({
      status: "invalid",
      message: "the baseline was offered the skill greeter",
      mayPass: false,
    });
  });

  it("says before it runs that nobody can judge, once", async () => {
    await using project = await greeters(1, HELPS);
    const evals = {
      skill_name: "greeter",
      evals: [{ id: 1, prompt: "Greet.", expectations: ["It is warm"] }],
    };
    await writeFile(project.path("skills/greeter/evals/evals.json"), JSON.stringify(evals));
    const surroundings = { cwd: project.root, env: { PATH: "/usr/bin:/bin" } };
    const { err } = await assay([...BENCH, "--smoke", "--inline"], surroundings);
    expect(err.split("no judge is configured").length).toBe(2);
    expect(err.indexOf("no judge is configured")).toBeLessThan(err.indexOf("2 trials"));
    const ungraded = await assay([...BENCH, "--smoke", "--no-grade"], surroundings);
    expect(ungraded.err).not.toContain("no judge is configured");
  });
});
