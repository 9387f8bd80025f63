import { describe, expect, it } from "vitest";
import {
  run,
  finished,
  SHOULD,
  SHOULD_NOT,
  FIRE_CANARY,
  triggerProject,
} from "../support/trigger-project.ts";

describe("trigger queries", () => {
  it("are invalid when not even the canary fires, with the likely cause", async () => {
    await using tree = await triggerProject({ queries: [SHOULD, SHOULD_NOT], arms: "" });
    const { exitCode, out } = await run(tree);
    expect(exitCode).toBe(3);
    expect(out).toContain("ALARM: the trigger result is invalid");
    expect(out).not.toContain("recall");
  });

  it("are not asked any more once no canary has fired, unless the run is resumed", async () => {
    const queries = [1, 2, 3, 4].map((n) => ({ query: `hail ${n}`, should_trigger: true }));
    await using tree = await triggerProject({ queries, arms: `*hail*) fire "$ASSAY_SKILL" ;;` });
    const first = await run(tree, "--concurrency", "1");
    expect(first.exitCode).toBe(3);
    expect(first.err).toMatch(/did not fire even when .* so \d+ runs of trigger queries were skipped/);
    expect(first.out).toMatch(/left out: \d+ not run/);
    expect((await finished(tree)).length).toBeLessThan(14);
    const again = await run(tree, "--concurrency", "1", "--resume");
    expect(again.out).not.toContain("not run");
    expect(await finished(tree)).toHaveLength(14);
  });

  it("raise an alarm when nothing but the canary ever fires", async () => {
    await using tree = await triggerProject({ queries: [SHOULD, SHOULD_NOT], arms: FIRE_CANARY });
    const { exitCode, out } = await run(tree);
    expect(exitCode).toBe(1);
    expect(out).toContain("ALARM: no query ever fired: recall 0 %");
    expect(out).toContain("The canary did fire");
  });

  it("name a copy that shadows the skill under test", async () => {
    await using tree = await triggerProject({ queries: [SHOULD], arms: `*) fire greeter ;;` });
    const { out, exitCode } = await run(tree);
    expect(exitCode).toBe(3);
    expect(out).toContain("another copy of greeter shadows the one under test");
  });
});
