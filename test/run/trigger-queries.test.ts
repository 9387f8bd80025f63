import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Summary } from "../../src/domain/summary.ts";
import type { TriggersFile } from "../../src/store/write/triggers.ts";
import {
  run,
  result,
  journal,
  finished,
  SHOULD,
  SHOULD_NOT,
  FIRE_CANARY,
  triggerProject,
} from "../support/trigger-project.ts";

describe("trigger queries", () => {
  it("are judged by their rate, with a canary beside them that is not counted", async () => {
    await using tree = await triggerProject({
      queries: [SHOULD, SHOULD_NOT],
      arms: `${FIRE_CANARY}\n*greet*) fire "$ASSAY_SKILL" ;;`,
    });
    const { exitCode, out } = await run(tree);
    expect(out).toContain("triggers: 2 of 2 queries passed");
    expect(exitCode).toBe(0);
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file).toMatchObject({
      skill_name: "greeter",
      description: "Greets people by name.",
      summary: { total: 2, passed: 2, failed: 0, unscored: 0, recall: { rate: 1 }, precision: { rate: 1 } },
      canary: { status: "fired", runs: 2 },
      validity: { status: "valid" },
    });
    expect(
      file.results.map(({ query, trigger_rate, triggers, runs, pass }) => [
        query,
        trigger_rate,
        triggers,
        runs,
        pass,
      ]),
    ).toEqual([
      ["please greet Ada", 1, 3, 3, true],
      ["please add two numbers", 0, 0, 3, true],
    ]);
    const summary = await result<Summary>(tree, "summary.json");
    expect(summary.cases.map((one) => one.caseId)).not.toContain("assay:canary");
    expect(summary.gates.map(({ met }) => met)).toEqual([true, true]);
    expect(await readdir(tree.path(".assay/greeter/iteration-1/triggers"))).toEqual([
      "canary",
      "q001",
      "q002",
    ]);
  });

  it("probe under a name of their own in each trial, and start with the canary", async () => {
    await using tree = await triggerProject({ queries: [SHOULD], arms: FIRE_CANARY });
    await run(tree);
    const runs = await finished(tree);
    const names = runs.map(({ run: { skillsOffered } }) => skillsOffered?.join());
    expect(new Set(names).size).toBe(runs.length);
    for (const name of names) expect(name).toMatch(/^greeter-[0-9a-f]{8}$/);
    const [first] = await journal(tree);
    expect(
      first?.kind === "iteration-started" && first.trials.slice(0, 2).map(({ caseId }) => caseId),
    ).toEqual(["assay:canary", "assay:canary"]);
  });

  it("stop the client as soon as the skill fires", async () => {
    await using tree = await triggerProject({
      queries: [SHOULD],
      arms: `*) echo "let me think"; fire other; fire "$ASSAY_SKILL"; sleep 60 ;;`,
    });
    const { exitCode } = await run(tree);
    expect(exitCode).toBe(0);
    const runs = await finished(tree);
    for (const { run: one } of runs) expect(one.durationMs).toBeLessThan(20_000);
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results[0]?.other_skills).toEqual({ other: 3 });
  }, 60_000);
});
