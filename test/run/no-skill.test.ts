import { describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { simProject } from "../support/sim-project.ts";
import { tempTree } from "../support/temp-tree.ts";

const SPEC = JSON.stringify({
  skill_name: "gone",
  test_args: "Ada",
  assertions: [{ id: "ada", type: "contains", needle: "Ada" }],
});
const EVAL = [
  "timestamp: 2025-01-15T10:30:00Z",
  "name: greetings",
  'prompt: "Greet Ada"',
  "expected: Should greet Ada by name.",
  "",
].join("\n");
const SCRIPT = { "script.json": JSON.stringify({ replies: [{ steps: [{ text: "Goodbye" }] }] }) };
const SCRIPTED = ["--harness", "scripted", "--script", "script.json"];

describe("a clauditor spec without its skill's file", () => {
  it.each([
    [".claude/commands/gone.eval.json", ".claude/commands/gone.eval.json"],
    ["gone/SKILL.eval.json", "gone/SKILL.eval.json"],
  ])("%s is refused before anything runs", async (file, target) => {
    await using project = await projectOf({ [file]: SPEC });
    const { exitCode, err } = await project.assay("run", target, ...SCRIPTED);
    expect(exitCode).toBe(2);
    expect(err).toContain("no file of the skill gone found");
    expect(err).toContain("--skill");
  });
});

describe("Skillet's evals without --skill", () => {
  it("are graded and gate as usual, and it is said that no skill is installed", async () => {
    await using project = await projectOf({ "evals/greetings/001.yaml": EVAL });
    const { exitCode, out } = await project.assay("run", "evals/greetings", ...SCRIPTED);
    expect(out).toContain("FAILED");
    expect(out).toContain("no skill was installed");
    expect(out).toContain("Should greet Ada by name.");
    expect(exitCode).toBe(1);
  });

  it("are not called a skill by check", async () => {
    await using project = await projectOf({ "evals/greetings/001.yaml": EVAL });
    const { out } = await project.assay("check", "evals/greetings");
    expect(out).toContain("ok: 1 set of evals without a skill, 1 eval file, 1 case");
  });
});

async function projectOf(files: Readonly<Record<string, string>>) {
  const tree = await tempTree({ "assay.config.json": "{}", ...SCRIPT, ...files });
  const rules = [{ when: { system: "You grade one run" }, reply: { verdicts: [] } }];
  return simProject(tree, await startSim(parseScript(JSON.stringify({ rules }))));
}
