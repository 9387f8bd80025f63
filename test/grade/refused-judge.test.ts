import { describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { HELPS, SKILL } from "../support/greeters.ts";
import { simProject } from "../support/sim-project.ts";
import { tempTree } from "../support/temp-tree.ts";

const played = (script: string) => ["skills/greeter", "--harness", "scripted", "--script", script, "-j", "1"];

/** Three cases that only a judge can decide, and a judge whose service says this to everything. */
async function refusing(fault: object) {
  const evals = [1, 2, 3].map((id) => ({ id, prompt: `Greet number ${id}.`, expectations: ["It greets"] }));
  const tree = await tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": SKILL("Say Hello."),
    "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
    "script.json": JSON.stringify({ replies: HELPS }),
    "other.json": JSON.stringify({ replies: [{ steps: [{ skill: "greeter" }, { text: "Good day" }] }] }),
  });
  return simProject(tree, await startSim(parseScript(JSON.stringify({ rules: [{ fault }] }))));
}

describe.each([
  ["key", { status: 401, message: "invalid x-api-key" }, "auth: .*invalid x-api-key"],
  ["model", { status: 404, message: "model: no-such-model" }, "api: 404: model: no-such-model"],
  ["account", { status: 400, message: "Your credit balance is too low" }, "budget: .*credit balance"],
])("a judge whose %s is refused", (_name, fault, words) => {
  it("is asked once, and every check says why it is unscored", { timeout: 120_000 }, async () => {
    await using project = await refusing(fault);
    const bench = await project.assay("bench", ...played("script.json"), "--runs", "2");
    expect(bench.exitCode).toBe(3);
    expect(bench.out).toMatch(
      new RegExp(`with_skill: 6 checks unscored in 6 runs: .*${words}.*; not asked again`),
    );
    expect(bench.out).not.toContain("cached");
    const before = project.sim.requests.length;
    const again = await project.assay("grade", "skills/greeter", "-j", "1");
    expect(again.exitCode).toBe(3);
    expect(project.sim.requests).toHaveLength(before + 1);
  });
});

it("is not asked about every pair of two versions", { timeout: 120_000 }, async () => {
  await using project = await refusing({ status: 401, message: "invalid x-api-key" });
  for (const script of ["script.json", "other.json"])
    await project.assay("run", ...played(script), "--runs", "4", "--no-grade");
  const { out, exitCode } = await project.assay("compare", "1", "2", "--judges", "1");
  expect(out).toContain("invalid x-api-key; not asked again");
  expect(exitCode).toBe(3);
  // Of 24 questions: those that were under way at once.
  expect(project.sim.requests.length).toBeLessThanOrEqual(8);
});
