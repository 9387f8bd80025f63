import { expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { aRun } from "../../test/support/runs.ts";
import { CANARY_ID } from "../domain/canary.ts";
import type { Run } from "../domain/run.ts";
import type { Trial } from "../domain/trial.ts";
import { CanaryWatch } from "./canary-watch.ts";

function trial(caseId: string, repetition: number): Trial {
  const id = `${caseId}/with_skill/run-${repetition}`;
  return { id, caseId, variant: "with_skill", repetition, key: id };
}

const CANARIES = [trial(CANARY_ID, 1), trial(CANARY_ID, 2)];
const FIRED: Partial<Run> = { activations: [{ skill: "greeter-1f", by: "tool", event: 2 }] };
const OTHER: Partial<Run> = { activations: [{ skill: "greeter", by: "tool", event: 2 }] };
const NO_SERVICE: Partial<Run> = { outcome: leftOut("api", "529") };
const NOT_OFFERED: Partial<Run> = { outcome: leftOut("invalid", "not offered") };

it.each<[string, readonly Partial<Run>[], boolean]>([
  ["both silent", [{}, {}], true],
  ["one still to come", [{}], false],
  ["one fired", [{}, FIRED], false],
  ["another skill fired", [OTHER, {}], true],
  ["a service failed, which says nothing", [{}, NO_SERVICE], false],
  ["never offered", [NOT_OFFERED, NOT_OFFERED], true],
])("%s", (_, runs, isSilent) => {
  const watch = new CanaryWatch([...CANARIES, trial("q1", 1)]);
  for (const [index, run] of runs.entries())
    watch.hear({ trial: CANARIES[index] ?? trial("x", 1), run: aRun(run) }, "greeter-1f");
  expect(watch.isSilent).toBe(isSilent);
});

it("never stops anything where no canary is run", () => {
  const watch = new CanaryWatch([trial("q1", 1)]);
  watch.hear({ trial: trial("q1", 1), run: aRun() }, "greeter-1f");
  expect(watch.isSilent).toBe(false);
});
