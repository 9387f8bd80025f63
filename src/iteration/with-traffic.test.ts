import { describe, expect, it } from "vitest";
import { aRun } from "../../test/support/runs.ts";
import { type Outcome, type Run, UNKNOWN_USAGE, type Usage, type Validity } from "../domain/run.ts";
import type { Trial, Variant } from "../domain/trial.ts";
import type { Traffic } from "./work.ts";
import { withTraffic } from "./with-traffic.ts";

const SEEN: Traffic = { skillsOffered: ["greeter"], stopped: null, usage: null };
const NOT_OFFERED = "the client did not offer the skill greeter to the model";
const INVALID: Validity = { status: "invalid", reason: NOT_OFFERED };

function trial(variant: Variant): Trial {
  return { id: `1/${variant}/run-1`, key: "key", caseId: "1", variant, repetition: 1 };
}

function seen(
  run: Partial<Run>,
  traffic: Partial<Traffic> | null,
  { variant = "with_skill", stopOnSkill = null }: { variant?: Variant; stopOnSkill?: string | null } = {},
): Run {
  const connection =
    traffic === null
      ? null
      : {
          endpoint: { baseUrl: "http://127.0.0.1:9", token: "t" },
          traffic: () => ({ ...SEEN, ...traffic }),
          [Symbol.asyncDispose]: async () => {},
        };
  return withTraffic(aRun(run), { connection, skill: "greeter", trial: trial(variant), stopOnSkill });
}

function usage(parts: Partial<Usage>): Usage {
  return { ...UNKNOWN_USAGE, ...parts };
}

describe("what passed the gateway", () => {
  it("is nothing where there was none", () => {
    expect(seen({}, null)).toEqual(aRun());
  });

  it.each<[told: Validity, offered: readonly string[], Variant, status: "verified" | "invalid"]>([
    [{ status: "unverified", reason: "?" }, ["greeter"], "with_skill", "verified"],
    [{ status: "unverified", reason: "?" }, [], "with_skill", "invalid"],
    [{ status: "verified" }, ["other"], "with_skill", "invalid"],
    [{ status: "unverified", reason: "?" }, [], "without_skill", "verified"],
    [{ status: "verified" }, ["greeter"], "without_skill", "invalid"],
  ])("outweighs %j by the listing %j in %s: %s", (validity, skillsOffered, variant, status) => {
    const run = seen({ validity }, { skillsOffered }, { variant });
    const outcome = { status: status === "invalid" ? "invalid" : "completed" };
    expect(run).toMatchObject({ validity: { status }, outcome, skillsOffered });
  });

  it("takes back that a run was invalid only by the client's own listing", () => {
    const outcome: Outcome = { status: "invalid", message: NOT_OFFERED };
    expect(seen({ validity: INVALID, outcome }, {})).toMatchObject({
      validity: { status: "verified" },
      outcome: { status: "completed" },
    });
    const other: Outcome = { status: "invalid", message: "the client does not know /greeter" };
    expect(seen({ validity: INVALID, outcome: other }, {}).outcome).toEqual(other);
  });

  it("leaves the client's word where no request was seen", () => {
    const run = { validity: INVALID, outcome: { status: "invalid", message: NOT_OFFERED } } as const;
    expect(seen(run, { skillsOffered: null })).toEqual(aRun(run));
  });

  it("says why the way was closed, whatever the client made of it", () => {
    const stopped = { status: "budget", message: "used up" } as const;
    const crashed: Outcome = { status: "crashed", message: "exit code 1" };
    expect(seen({ outcome: crashed }, { stopped }).outcome).toEqual(stopped);
  });

  it("leaves a probe that fired as it is", () => {
    const activations = [{ skill: "greeter", by: "tool", event: 1 } as const];
    const outcome: Outcome = { status: "crashed", message: "killed" };
    expect(seen({ activations, outcome }, {}, { stopOnSkill: "greeter" }).outcome).toEqual({
      status: "completed",
    });
  });
});

describe("tokens", () => {
  const metered = usage({ inputTokens: 100, outputTokens: 20, costUsd: 0.5 });

  it("are the metered ones, and a difference is told", () => {
    const said = usage({ inputTokens: 90, outputTokens: 20, costUsd: 0.4 });
    expect(seen({ usage: said }, { usage: metered })).toMatchObject({
      usage: metered,
      notes: ["the client reports 110 tokens, 120 passed the gateway"],
    });
    expect(seen({ usage: { ...metered, costUsd: null } }, { usage: metered }).notes).toEqual([]);
  });

  it("keep the price that only the client knows", () => {
    const said = { ...metered, costUsd: 0.4 };
    expect(seen({ usage: said }, { usage: { ...metered, costUsd: null } }).usage.costUsd).toBe(0.4);
  });

  it("are the client's where the service told none", () => {
    expect(seen({ usage: metered }, { usage: UNKNOWN_USAGE })).toMatchObject({ usage: metered, notes: [] });
    expect(seen({ usage: metered }, { usage: null }).usage).toEqual(metered);
  });
});
