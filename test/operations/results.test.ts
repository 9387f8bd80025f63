import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clean, type RemovedIteration } from "../../src/operations/clean.ts";
import { auditTrend, trend, trendBadge } from "../../src/operations/trend.ts";
import { assay } from "../support/command-line.ts";
import { machineIn } from "../support/machine.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";

describe("clean, called by a program", () => {
  it("says what goes while it goes, and what is left", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    for (let run = 0; run < 3; run++) await assay(RUN, { cwd: project.root });
    const machine = machineIn(project.root);
    const heard: RemovedIteration[] = [];
    const dry = await clean(
      { keep: 1, dryRun: true },
      { machine, on: (removed) => void heard.push(removed) },
    );
    expect(heard.map(({ number, reason }) => ({ number, reason }))).toEqual([
      { number: 1, reason: "count" },
      { number: 2, reason: "count" },
    ]);
    expect(dry).toMatchObject({ removed: heard, defaultDays: null, left: { iterations: 1 } });
    expect(heard.every(({ path }) => existsSync(path))).toBe(true);
    const stop = new AbortController();
    const stopped = await clean({ keep: 1 }, { machine, signal: stop.signal, on: () => stop.abort() });
    expect(stopped).toMatchObject({ removed: [{ number: 1 }], left: { iterations: 2 } });
    expect(heard.map(({ path }) => existsSync(path))).toEqual([false, true]);
  });

  it("removes nothing younger than its default where no bound is given", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await assay(RUN, { cwd: project.root });
    const machine = machineIn(project.root);
    const { defaultDays, removed } = await clean({ dryRun: true }, { machine });
    expect(removed).toEqual([]);
    const later = new Date(Date.now() + ((defaultDays ?? 0) + 1) * 86_400_000);
    const aged = await clean({ dryRun: true }, { machine: { ...machine, now: () => later } });
    expect(aged.removed).toMatchObject([{ number: 1, reason: "age" }]);
  });
});

it("trend, audit and badge answer with data about a skill directory", async () => {
  await using project = await greeterProject(GOOD_REPLIES);
  await assay(RUN, { cwd: project.root });
  const door = { machine: machineIn(project.root) };
  const skill = "skills/greeter";
  const { suite, points } = await trend({ skill }, door);
  expect(suite).toBe("greeter");
  expect(points).toMatchObject([{ line: { iteration: 1 }, value: 1, interval: { high: 1 }, changed: [] }]);
  expect((await trend({ skill, metric: "lift" }, door)).points).toMatchObject([
    { value: null, interval: null },
  ]);
  expect(await auditTrend({ skill }, door)).toMatchObject({ iterations: 1, flagged: [] });
  expect(await trendBadge({ skill, output: "made/badge.json" }, door)).toMatchObject({ label: "assay" });
  expect(existsSync(project.path("made/badge.json"))).toBe(true);
});
