import { describe, expect, it } from "vitest";
import { UNKNOWN_USAGE } from "../../../domain/run.ts";
import type { ModelReply, ModelRequest, Provider } from "../../../providers/provider.ts";
import { type BenchOptions, type BenchRun, HarnessBench } from "../../fixtures/harness-bench.ts";
import { type Act, harnessContract } from "../../harness.contract.ts";
import { classifier } from "./classifier.ts";

const USAGE = { ...UNKNOWN_USAGE, inputTokens: 120, outputTokens: 9 };

function says(text: string): ModelReply {
  return { status: "answered", parts: [{ kind: "text", text }], stop: "end", model: "m-1", usage: USAGE };
}

interface Asked {
  readonly requests: readonly ModelRequest[];
  readonly played: BenchRun;
}

async function ask(complete: Provider["complete"], bench: BenchOptions = {}): Promise<Asked> {
  const requests: ModelRequest[] = [];
  const harness = classifier({
    connect: (model) => ({
      model: model ?? "m-default",
      provider: {
        name: "fake",
        complete(request, signal) {
          requests.push(request);
          return complete(request, signal);
        },
      },
    }),
  });
  using place = new HarnessBench();
  const prompt = { kind: "turns", turns: ["greet Ada"] } as const;
  return { requests, played: await place.drive(harness, prompt, { skill: "greeter-0", ...bench }) };
}

harnessContract("classifier", {
  make: async (turns) => {
    const complete = answers(turns.flat());
    const harness = classifier({ connect: () => ({ model: "m-1", provider: { name: "fake", complete } }) });
    return { harness, endpoint: null, [Symbol.asyncDispose]: async () => {} };
  },
  lacks: ["raw stream", "tools", "session"],
  shown: (said) => picks(0, said),
});

/** A model that picks a skill where the agent would take one up, and refuses or says nothing where it is told to. */
function answers(acts: readonly Act[]): Provider["complete"] {
  const said = acts.flatMap((act) => ("say" in act ? [act.say] : [])).join(" ");
  const skill = acts.some((act) => "skill" in act) ? 1 : 0;
  const refusal = acts.flatMap((act) => ("refuse" in act ? [act.refuse] : []))[0];
  return (request, signal) => {
    if (acts.some((act) => "hang" in act)) return never(request, signal);
    if (refusal === undefined) return Promise.resolve(says(picks(skill, said)));
    const reason = ({ 401: "auth", 429: "rate-limit", 500: "api" } as const)[refusal];
    return Promise.resolve({
      status: "failed",
      reason,
      message: "no",
      httpStatus: refusal,
      usage: UNKNOWN_USAGE,
    });
  };
}

function picks(skill: number, reason: string): string {
  return JSON.stringify({ reason, skill });
}

function never(_: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

describe("the classifier", () => {
  it("tells that the skill was picked as a client tells that it was taken up", async () => {
    const { played, requests } = await ask(async () => says('{"reason":"","skill":1}'));
    expect(played.run).toMatchObject({
      outcome: { status: "completed" },
      model: "m-1",
      usage: USAGE,
      steps: 1,
      skillsOffered: ["greeter-0"],
    });
    expect(played.events.map(({ kind }) => kind)).toEqual(["message", "message", "skill-activated"]);
    expect(played.events.at(-1)).toMatchObject({ skill: "greeter-0", by: "client" });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.model).toBe("m-default");
  });

  it("asks the model that the user names", async () => {
    const { requests } = await ask(async () => says('{"skill":0}'), { options: { model: "m-9" } });
    expect(requests[0]?.model).toBe("m-9");
  });

  it("tells of no skill where none was picked", async () => {
    const { played } = await ask(async () => says('{"reason":"","skill":0}'));
    expect(played.run.outcome).toEqual({ status: "completed" });
    expect(played.events.some(({ kind }) => kind === "skill-activated")).toBe(false);
  });

  it.each(["I think it is the greeter.", "", '{"skill":9}', "[]"])(
    "is left out, not silent, when the reply is %j",
    async (text) => {
      const { played } = await ask(async () => says(text));
      expect(played.run.outcome).toMatchObject({ status: "api", mayPass: true });
    },
  );

  it.each(["auth", "rate-limit", "api", "network", "budget"] as const)("passes %s on", async (reason) => {
    const { played } = await ask(async () => ({
      status: "failed",
      reason,
      message: "no",
      httpStatus: null,
      usage: UNKNOWN_USAGE,
    }));
    expect(played.run.outcome).toMatchObject({ status: reason, message: "no" });
  });

  it("ends at the deadline", async () => {
    const { played } = await ask(never, { deadlineMs: 100 });
    expect(played.run.outcome).toMatchObject({ status: "timed-out" });
  });

  it("ends when the runner is told to", async () => {
    const runner = new AbortController();
    setTimeout(() => runner.abort(), 50);
    const { played } = await ask(never, { signal: runner.signal });
    expect(played.run.outcome).toMatchObject({ status: "interrupted" });
  });

  it("says before anything runs that the service cannot be reached", async () => {
    const harness = classifier({
      connect: () => {
        throw new Error("no key");
      },
    });
    await expect(harness.find()).rejects.toThrow("no key");
  });
});
