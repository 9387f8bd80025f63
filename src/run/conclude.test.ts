import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { type Outcome, type Run, UNKNOWN_USAGE, type Usage } from "../domain/run.ts";
import type { Variant } from "../domain/trial.ts";
import { conclude, type Known } from "./conclude.ts";
import type { Traffic } from "./traffic.ts";

const SEEN: Traffic = { skillsOffered: ["greeter"], stopped: null, usage: null, said: null };
const NOT_OFFERED = "the client did not offer the skill greeter to the model";

function concluded(
  said: Partial<Known["said"]>,
  traffic: Partial<Traffic> | null,
  parts: Partial<Known> = {},
): Pick<Run, "outcome" | "validity" | "skillsOffered" | "usage" | "notes"> {
  return conclude({
    said: { outcome: { status: "completed" }, skillsOffered: null, usage: UNKNOWN_USAGE, ...said },
    traffic: traffic === null ? null : { ...SEEN, ...traffic },
    unfounded: null,
    variant: "with_skill",
    skill: "greeter",
    stopOnSkill: null,
    activations: [],
    denials: [],
    durationMs: 1000,
    ...parts,
  });
}

function usage(parts: Partial<Usage>): Usage {
  return { ...UNKNOWN_USAGE, ...parts };
}

describe("a client that says what no model said", () => {
  const unfounded = "the client's output has an answer that no model gave";

  it.each<Outcome>([{ status: "completed" }, { status: "timed-out", afterMs: 5 }])(
    "is invalid: %j",
    (outcome) => {
      expect(concluded({ outcome }, {}, { unfounded })).toMatchObject({
        validity: { status: "invalid", reason: unfounded },
        outcome: { status: "invalid", message: unfounded },
      });
    },
  );

  it("stays left out for what left it out", () => {
    const outcome = leftOut("network", "gone");
    expect(concluded({ outcome }, {}, { unfounded }).outcome).toEqual(outcome);
  });
});

describe("a client that repeats a failing request up to its deadline", () => {
  const unanswered = leftOut("api", "the model service answered 500 to the agent's last request", 500);

  it("shows nothing of the skill", () => {
    const outcome: Outcome = { status: "timed-out", afterMs: 5 };
    expect(concluded({ outcome }, { unanswered }).outcome).toEqual(unanswered);
    expect(concluded({ outcome }, { unanswered: null }).outcome).toMatchObject({ status: "timed-out" });
  });

  it("is believed when it did answer", () => {
    expect(concluded({}, { unanswered }).outcome).toEqual({ status: "completed" });
  });
});

describe("without a gateway", () => {
  it("the client's word holds", () => {
    expect(concluded({ skillsOffered: ["greeter"] }, null)).toMatchObject({
      validity: { status: "verified" },
      outcome: { status: "completed" },
      skillsOffered: ["greeter"],
    });
    expect(concluded({ skillsOffered: [] }, null)).toMatchObject({
      validity: { status: "invalid", reason: NOT_OFFERED },
      outcome: leftOut("invalid", NOT_OFFERED),
    });
  });

  it("a run that we ended took as long as we let it", () => {
    const outcome: Outcome = { status: "timed-out", afterMs: 1 };
    expect(concluded({ outcome }, null, { durationMs: 2000.4 }).outcome).toEqual({
      status: "timed-out",
      afterMs: 2000,
    });
  });
});

describe("what passed the gateway", () => {
  it.each<[told: readonly string[] | null, offered: readonly string[], Variant, "verified" | "invalid"]>([
    [null, ["greeter"], "with_skill", "verified"],
    [null, [], "with_skill", "invalid"],
    [["greeter"], ["other"], "with_skill", "invalid"],
    [[], ["greeter"], "with_skill", "verified"],
    [null, [], "without_skill", "verified"],
    [["other"], ["greeter"], "without_skill", "invalid"],
  ])("outweighs the client's %j by the listing %j in %s: %s", (told, skillsOffered, variant, status) => {
    const run = concluded({ skillsOffered: told }, { skillsOffered }, { variant });
    const outcome = { status: status === "invalid" ? "invalid" : "completed" };
    expect(run).toMatchObject({ validity: { status }, outcome, skillsOffered });
  });

  it("does not touch what the client says for another reason", () => {
    const outcome: Outcome = leftOut("invalid", "the client does not know /greeter");
    expect(concluded({ outcome, skillsOffered: [] }, {})).toMatchObject({
      outcome,
      validity: { status: "verified" },
    });
  });

  it("leaves the client's word where no request was seen", () => {
    expect(concluded({ skillsOffered: [] }, { skillsOffered: null })).toMatchObject({
      validity: { status: "invalid", reason: NOT_OFFERED },
      outcome: leftOut("invalid", NOT_OFFERED),
      skillsOffered: [],
    });
  });

  it("says why the way was closed, whatever the client made of it", () => {
    const stopped = leftOut("budget", "used up");
    const crashed: Outcome = { status: "crashed", message: "exit code 1" };
    expect(concluded({ outcome: crashed }, { stopped }).outcome).toEqual(stopped);
  });

  it("leaves a probe that fired as it is", () => {
    const activations = [{ skill: "greeter", by: "tool", event: 1 } as const];
    const outcome: Outcome = { status: "crashed", message: "killed" };
    expect(concluded({ outcome }, {}, { activations, stopOnSkill: "greeter" }).outcome).toEqual({
      status: "completed",
    });
  });
});

describe("tokens", () => {
  const metered = usage({ inputTokens: 100, outputTokens: 20, costUsd: 0.5 });

  it("are the metered ones, and a difference is told", () => {
    const said = usage({ inputTokens: 90, outputTokens: 20, costUsd: 0.4 });
    expect(concluded({ usage: said }, { usage: metered })).toMatchObject({
      usage: metered,
      notes: ["the client reports 110 tokens, but 120 passed through the gateway"],
    });
    expect(concluded({ usage: { ...metered, costUsd: null } }, { usage: metered }).notes).toEqual([]);
  });

  it("keep the price that only the client knows", () => {
    const said = { ...metered, costUsd: 0.4 };
    expect(concluded({ usage: said }, { usage: { ...metered, costUsd: null } }).usage.costUsd).toBe(0.4);
  });

  it("are the client's where the service told none", () => {
    expect(concluded({ usage: metered }, { usage: UNKNOWN_USAGE })).toMatchObject({
      usage: metered,
      notes: [],
    });
    expect(concluded({ usage: metered }, { usage: null }).usage).toEqual(metered);
  });
});
