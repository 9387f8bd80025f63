import { describe, expect, it } from "vitest";
import type { Outcome } from "../domain/run.ts";
import { CRASHED_PROBE, probeOutcome } from "./probe.ts";

const FIRED = { activations: [{ skill: "plug:greeter-0", by: "tool" as const, event: 3 }] };
const SILENT = { activations: [{ skill: "greeter", by: "tool" as const, event: 3 }] };
const PROBE = { stopOnSkill: "greeter-0" };

describe("probeOutcome", () => {
  it.each<Outcome>([
    { status: "completed" },
    { status: "timed-out", afterMs: 1000 },
    { status: "crashed", message: "killed" },
    { status: "invalid", message: "the client refused the call of the skill" },
    { status: "max-turns", message: "" },
  ])("a probe that fired has answered, also when it ended as $status", (outcome) => {
    expect(probeOutcome(outcome, PROBE, FIRED)).toEqual({ status: "completed" });
  });

  it.each<[Outcome, string]>([
    [{ status: "timed-out", afterMs: 60_400 }, "ended at the deadline, after 60 s"],
    [{ status: "crashed", message: "exit code 7" }, `${CRASHED_PROBE}exit code 7`],
  ])("one that was cut short before that has answered nothing: %j", (outcome, message) => {
    const seen = probeOutcome(outcome, PROBE, SILENT);
    expect(seen.status).toBe("invalid");
    expect("message" in seen && seen.message).toContain(message);
  });

  it.each<Outcome>([
    { status: "completed" },
    { status: "max-turns", message: "3" },
    { status: "auth", message: "no key" },
    { status: "interrupted", message: "" },
  ])("every other end stays what it is: $status", (outcome) => {
    expect(probeOutcome(outcome, PROBE, SILENT)).toBe(outcome);
  });

  it("says nothing about a trial that waits for no skill", () => {
    const outcome: Outcome = { status: "timed-out", afterMs: 1 };
    expect(probeOutcome(outcome, { stopOnSkill: null }, SILENT)).toBe(outcome);
  });
});
