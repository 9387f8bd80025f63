import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import type { Outcome } from "../domain/run.ts";
import { probeOutcome } from "./probe.ts";

const FIRED = { activations: [{ skill: "plug:greeter-0", by: "tool" as const, event: 3 }] };
const SILENT = { activations: [{ skill: "greeter", by: "tool" as const, event: 3 }] };
const PROBE = { stopOnSkill: "greeter-0" };

describe("probeOutcome", () => {
  it.each<Outcome>([
    { status: "completed" },
    { status: "timed-out", afterMs: 1000 },
    { status: "crashed", message: "killed" },
    leftOut("invalid", "the client refused the call of the skill"),
    { status: "max-turns", message: "" },
  ])("a probe that fired has answered, also when it ended as $status", (outcome) => {
    expect(probeOutcome(outcome, PROBE, FIRED)).toEqual({ status: "completed" });
  });

  it.each<[Outcome, message: string, mayPass: boolean]>([
    [{ status: "timed-out", afterMs: 60_400 }, "ended at the deadline, after 60 s", false],
    [
      { status: "crashed", message: "exit code 7" },
      "whether the skill fires could not be seen: exit code 7",
      true,
    ],
  ])("one that was cut short before that has answered nothing: %j", (outcome, message, mayPass) => {
    expect(probeOutcome(outcome, PROBE, SILENT)).toEqual({
      status: "invalid",
      message: expect.stringContaining(message) as string,
      mayPass,
    });
  });

  it.each<Outcome>([
    { status: "completed" },
    { status: "max-turns", message: "3" },
    leftOut("auth", "no key"),
    leftOut("interrupted", ""),
  ])("every other end stays what it is: $status", (outcome) => {
    expect(probeOutcome(outcome, PROBE, SILENT)).toBe(outcome);
  });

  it("says nothing about a trial that waits for no skill", () => {
    const outcome: Outcome = { status: "timed-out", afterMs: 1 };
    expect(probeOutcome(outcome, { stopOnSkill: null }, SILENT)).toBe(outcome);
  });
});
