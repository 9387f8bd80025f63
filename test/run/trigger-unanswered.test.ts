import { describe, expect, it } from "vitest";
import type { TriggersFile } from "../../src/store/write/triggers.ts";
import { assay } from "../support/command-line.ts";
import { run, result, finished, SHOULD_NOT, triggerProject } from "../support/trigger-project.ts";

describe("trigger queries", () => {
  it("never pass for want of an answer: a client that dies before it says anything", async () => {
    await using tree = await triggerProject({
      queries: [SHOULD_NOT],
      arms: "",
      files: { "agent.sh": "#!/bin/bash\nexit 7\n" },
    });
    const { exitCode, out } = await run(tree, "--runs", "1");
    expect(exitCode).toBe(3);
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results[0]).toMatchObject({
      trigger_rate: null,
      runs: 0,
      pass: false,
      status: "unscored",
      left_out: { invalid: 1 },
    });
    expect(out).toContain("0 of 1 queries passed, 1 unscored");
    // Tried again before it was left out.
    expect((await finished(tree)).filter(({ trial }) => trial.caseId !== "assay:canary")).toHaveLength(3);
  }, 60_000);

  it("never pass for want of an answer: a client that says nothing until the deadline", async () => {
    await using tree = await triggerProject({ queries: [SHOULD_NOT], arms: "*) sleep 600 ;;" });
    const started = performance.now();
    const { exitCode } = await run(tree, "--runs", "1", "--timeout", "1");
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(exitCode).toBe(3);
    const [first] = (await result<TriggersFile>(tree, "triggers.json")).results;
    expect(first).toMatchObject({ status: "unscored", left_out: { invalid: 1 } });
  }, 60_000);

  it("never pass for want of an answer: a client that is not there", async () => {
    await using tree = await triggerProject({ queries: [SHOULD_NOT], arms: "" });
    for (const harness of ["claude-code", "codex", "auto"]) {
      const { exitCode, err } = await assay(["run", "skills/greeter", "--harness", harness], {
        cwd: tree.root,
        env: { PATH: "/nonexistent", ASSAY_CLAUDE: "no-such-claude", ASSAY_CODEX: "no-such-codex" },
      });
      expect(exitCode).toBe(2);
      expect(err).toMatch(/install|unset ASSAY_CLAUDE/);
    }
  });
});
