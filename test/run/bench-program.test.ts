import { describe, expect, it } from "vitest";
import { bench } from "../../src/operations/bench.ts";
import { thisMachine } from "../../src/this-machine.ts";
import { greeters, HELPS } from "../support/greeters.ts";
import { type TempTree } from "../support/temp-tree.ts";

describe("bench, as a program calls it", () => {
  const door = (project: TempTree) => ({
    machine: {
      ...thisMachine(),
      cwd: project.root,
      home: "/nonexistent",
      env: { PATH: process.env["PATH"] },
    },
  });
  const options = {
    targets: ["skills/greeter"],
    harnesses: ["scripted"],
    script: "script.json",
    smoke: true,
  };

  it("answers with the reports and the lifts side by side", async () => {
    await using project = await greeters(6, HELPS);
    const { reports, matrix, ended } = await bench({ ...options, models: ["a", "b"] }, door(project));
    expect(ended).toBe("complete");
    expect(reports.map(({ summary }) => summary.verdict)).toEqual(["passed", "passed"]);
    expect(matrix.map(({ model, lift, holds }) => ({ model, lift, holds }))).toEqual([
      { model: "a", lift: 1, holds: true },
      { model: "b", lift: 1, holds: true },
    ]);
  });

  it("refuses what the command line refuses", async () => {
    await using project = await greeters(1, HELPS);
    await expect(bench({ ...options, minEffect: 2 }, door(project))).rejects.toMatchObject({
      code: "options/invalid",
      message: expect.stringContaining("between 0 and 1"),
    });
    await expect(bench({ ...options, runs: 2 }, door(project))).rejects.toMatchObject({
      code: "bench/conflict",
    });
  });
});
