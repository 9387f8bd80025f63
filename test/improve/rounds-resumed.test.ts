import { describe, expect, it } from "vitest";
import {
  ALL_RUNS,
  ANALYSIS,
  history,
  improve,
  JUDGE,
  project,
  ROWS,
  runs,
  SUGGESTIONS,
  UNCONFIRMED,
} from "./greeting-rounds.ts";

describe("assay improve, called again", { timeout: 60_000 }, () => {
  it("goes on round by round, with nothing run or asked twice", async () => {
    await using whole = await project();
    await improve(whole, "--rounds", "3");
    await using made = await project();
    for (const rounds of ["1", "1", "2", "3", "3"])
      expect((await improve(made, "--rounds", rounds)).exitCode).toBe(0);
    expect((await history(made)).rows).toEqual(ROWS);
    expect(await runs(made)).toBe(await runs(whole));
    expect(made.sim.requests.length).toBe(whole.sim.requests.length);
  });

  it.each([
    ["analyzing", 1, { when: { system: "You explain why two versions", anywhere: "Hello, awful" } }],
    ["proposing", 1, { when: { system: "You improve the instructions", anywhere: "hello, good" } }],
    ["comparing", 2, { when: { system: "You compare two outputs", anywhere: "Hello, awful" } }],
  ])("ends when a model fails at %s, and goes on from there", async (_, times, rule) => {
    const fault = { ...rule, fault: { status: 400 }, times };
    await using made = await project([fault, ...SUGGESTIONS, ...JUDGE]);
    const cut = await improve(made, "--rounds", "3");
    expect(cut.exitCode).toBe(3);
    expect((await history(made)).rows).toEqual(UNCONFIRMED);
    const paid = await runs(made);
    expect((await improve(made, "--rounds", "3")).exitCode).toBe(0);
    expect((await history(made)).rows).toEqual(ROWS);
    expect(await runs(made)).toBe(ALL_RUNS);
    expect(paid).toBeLessThan(ALL_RUNS);
  });

  it("goes on without an analysis that cannot be had the second time either", async () => {
    const fault = { when: ANALYSIS["when"], fault: { status: 400 }, times: 2 };
    await using made = await project([fault, ...SUGGESTIONS, ...JUDGE]);
    const cut = await improve(made, "--rounds", "1");
    expect(cut.err).toContain("v1 against v0 was not analyzed: api: 400");
    expect(cut.exitCode).toBe(3);
    const again = await improve(made, "--rounds", "1");
    expect(again.err).toContain("; the next draft works without it");
    expect(again.exitCode).toBe(0);
    expect((await history(made)).rows).toEqual(ROWS.slice(0, 2));
  });

  it("can be interrupted while agents run", async () => {
    await using made = await project();
    const running = improve(made, "--rounds", "3", "--concurrency", "1");
    while ((await made.text(".assay/runs.txt").catch(() => "")).length < 4 * 3)
      await new Promise((next) => setTimeout(next, 20));
    process.emit("SIGINT");
    expect((await running).exitCode).toBe(130);
    expect((await improve(made, "--rounds", "3")).exitCode).toBe(0);
    expect((await history(made)).rows).toEqual(ROWS);
    expect(await runs(made)).toBeLessThanOrEqual(ALL_RUNS + 1);
  });
});
