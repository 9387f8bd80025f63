import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";

const EVALS = JSON.stringify({
  skill_name: "greeter",
  evals: [{ id: 1, prompt: "Greet Ada", expectations: ["Ada is greeted by name"] }],
});
const JUDGE = `rules:
  - when: { structured: true }
    reply:
      verdicts: [{ criterion: greeted by name, quote: Hello Ada, source: output }]
`;

describe("a judge that was recorded", () => {
  it("grades again without a key or a server, and with the same verdict", async () => {
    await using project = await greeterProject(GOOD_REPLIES, { "skills/greeter/evals/evals.json": EVALS });
    await assay([...RUN, "--no-grade"], { cwd: project.root });
    const asked = await recorded(project.root);
    expect(asked).toBeGreaterThan(0);
    const replayed = await assay(["grade", "--replay", "--transport", "api"], { cwd: project.root });
    expect(replayed.out).toContain("greeter: passed");
    expect(replayed.exitCode).toBe(0);
  });

  it("is missed, not guessed, where the run has changed", async () => {
    await using project = await greeterProject(GOOD_REPLIES, { "skills/greeter/evals/evals.json": EVALS });
    await assay([...RUN, "--no-grade"], { cwd: project.root });
    await recorded(project.root);
    const other = { replies: [{ steps: [{ skill: "greeter" }, { text: "Good day, Ada" }] }] };
    await writeFile(project.path("script.json"), JSON.stringify(other));
    await assay([...RUN, "--no-grade"], { cwd: project.root });
    const { exitCode, out } = await assay(["grade", "--replay", "--transport", "api"], { cwd: project.root });
    expect(out).toContain("replay miss");
    expect(exitCode).toBe(3);
  });
});

async function recorded(cwd: string): Promise<number> {
  await using sim = await startSim(parseScript(JUDGE));
  const env = { ANTHROPIC_API_KEY: "sk-ant-recorded-0123456789", ANTHROPIC_BASE_URL: sim.url };
  const { exitCode, out } = await assay(["grade", "--record", "--transport", "api"], { cwd, env });
  expect(out).toContain("greeter: passed");
  expect(exitCode).toBe(0);
  return sim.requests.length;
}
