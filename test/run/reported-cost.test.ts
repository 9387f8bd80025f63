import { chmod, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { Summary } from "../../src/domain/summary.ts";
import { assay } from "../support/command-line.ts";
import { greeterProject } from "../support/project.ts";

const AGENT = `#!/bin/sh
echo '{"type":"text","text":"Hello Ada"}'
echo '{"type":"usage","input_tokens":100,"output_tokens":20,"cost_usd":0.01}'
`;

it("holds an agent that pays past the gateway to the budget, going by what it reports", async () => {
  await using project = await greeterProject([], { "agent.sh": AGENT });
  await chmod(project.path("agent.sh"), 0o755);
  const { out, exitCode } = await assay(
    [
      ["run", "skills/greeter", "--harness", "command", "--command", "./agent.sh", "--case", "1"],
      ["--runs", "8", "-j", "1", "--max-cost", "0.03"],
    ].flat(),
    {
      cwd: project.root,
      env: { ANTHROPIC_API_KEY: "sk-ant-none", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" },
    },
  );
  const summary = JSON.parse(
    await readFile(project.path(".assay/greeter/iteration-1/summary.json"), "utf8"),
  ) as Summary;
  expect(summary.spending.made.usage.costUsd).toBeCloseTo(0.03);
  expect(summary.missing.leftOut).toEqual({ budget: 5 });
  expect(out).toContain("5 of 8 trials have no result (5 budget)");
  expect(exitCode).toBe(3);
});
