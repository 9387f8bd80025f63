import { describe, expect, it } from "vitest";
import type { Supervised } from "../process/command.ts";
import { streamOutcome } from "./outcome.ts";

const NOTHING = { failure: null, completed: false, begun: false, trouble: null, plain: "" };
const WORKING = { ...NOTHING, begun: true };

function ended(parts: Partial<Supervised> = {}): Supervised {
  const ending = { kind: "exited", code: 0, signal: null } as const;
  return { ending, durationMs: 5, stderrTail: "", left: [], notes: [], ...parts };
}

const failed = (message: string, status: number | null = null) =>
  streamOutcome({ ...WORKING, completed: true, failure: { message, status } }, ended(), "agent");

describe("the end of a call", () => {
  it("is an answer when the client is done and a model has spoken", () => {
    expect(streamOutcome({ ...WORKING, completed: true }, ended(), "agent")).toEqual({ status: "completed" });
    const stopped = ended({ ending: { kind: "stopped" } });
    expect(streamOutcome(WORKING, stopped, "agent")).toEqual({ status: "completed" });
  });

  it.each([
    ["done, though no model spoke", { ...NOTHING, completed: true }, "invalid"],
    ["without a word", NOTHING, "invalid"],
    ["in the middle of its work", WORKING, "crashed"],
  ])("is none %s", (_, heard, status) => {
    const words = "agent ended with exit code 0 before";
    expect(streamOutcome(heard, ended(), "agent")).toMatchObject({
      status,
      message: expect.stringContaining(words),
    });
  });

  it("is the service's doing when the client could not begin", () => {
    const stderrTail = "Error: no API key was found";
    expect(streamOutcome(NOTHING, ended({ stderrTail }), "agent")).toMatchObject({ status: "auth" });
    expect(streamOutcome(WORKING, ended({ stderrTail }), "agent")).toMatchObject({ status: "crashed" });
  });

  it.each([
    ["Attempt 3 failed with status 429. Retrying with backoff...", "rate-limit"],
    ["Attempt 2 failed. Retrying... TypeError: fetch failed sending request", "network"],
    ["thinking about it", "timed-out"],
  ])("by the deadline, after %j, is %s", (stderrTail, status) => {
    const late = ended({ ending: { kind: "timed-out" }, stderrTail });
    expect(streamOutcome(NOTHING, late, "agent")).toMatchObject({ status });
    expect(streamOutcome(WORKING, late, "agent")).toMatchObject({ status: "timed-out" });
  });
});

describe("a failure in the client's words", () => {
  it.each([
    ["401 Incorrect API key provided", "auth", false],
    ["403 you may not", "auth", false],
    ["429 slow down", "rate-limit", true],
    ["Rate limit reached for requests", "rate-limit", true],
    ["500 we are sorry", "api", true],
    ["404 no such model", "api", false],
    ["Connection error. (cause: fetch failed)", "network", true],
    ["terminated (cause: other side closed)", "network", true],
    ["400 assay gateway: the model service answers 401", "auth", false],
  ])("%s: %s", (message, status, mayPass) => {
    expect(failed(message)).toMatchObject({ status, mayPass });
  });

  it("is a crash where no service is to blame", () => {
    expect(failed("TypeError: x is not a function")).toMatchObject({ status: "crashed" });
  });

  it("has the status that the client tells apart from its words", () => {
    expect(failed("something", 429)).toMatchObject({ status: "rate-limit" });
  });
});
