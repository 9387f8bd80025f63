import { expect, it } from "vitest";
import { assay } from "../../../test/support/command-line.ts";
import { aCase } from "../../../test/support/cases.ts";
import { machineIn } from "../../../test/support/machine.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../../../test/support/project.ts";
import { concurrencyOf } from "../../engine/plan-suites.ts";
import type { VersionsCall } from "./open-versions.ts";
import type { VersionRunner } from "./run-version.ts";
import { tellCost } from "./tell-cost.ts";

it("reckons with as many trials at once as runs have where nobody says how many", async () => {
  await using project = await greeterProject(GOOD_REPLIES);
  await assay(RUN, { cwd: project.root });
  const minutes = async (concurrency: number | null): Promise<number> => {
    const told: (number | null)[] = [];
    const call = {
      place: { suite: { name: "greeter" } },
      request: {
        options: { concurrency },
        results: project.path(".assay"),
        machine: machineIn(project.root),
      },
    } as unknown as VersionsCall;
    const runner = { harness: "scripted", model: null, runsOf: () => 1 } as unknown as VersionRunner;
    const cases = Array.from({ length: 100 }, (_, at) => aCase({ id: String(at) }));
    await tellCost({ rounds: 1, freshRuns: 5, learning: cases, cases, runner }, call, (event) => {
      if (event.kind === "planned") told.push(event.minutes);
    });
    return told[0] ?? Number.NaN;
  };
  const usual = concurrencyOf({ concurrency: null });
  expect(await minutes(null)).toBeCloseTo((await minutes(1)) / usual);
});
