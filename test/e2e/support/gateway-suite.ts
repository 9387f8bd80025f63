import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Sim } from "../../../src/gateway/sim/server.ts";
import type { Harness } from "../../../src/run/harness.ts";
import type { Traits } from "./trial-suite.ts";
import { playTrial, SKILL, type TrialSetup } from "./trial-kit.ts";

/** What the gateway must see of any real agent program, and how the program must take what the gateway says. */
export function gatewaySuite(
  harness: Harness,
  { lacks = [], bundled = [], deadlineSeconds = 60, compacts = false }: Traits = {},
): void {
  const play = (setup: Omit<TrialSetup, "harness">) => playTrial({ harness, ...setup });

  describe(`${harness.name} behind the gateway`, () => {
    it("is metered by what the service says, over all messages", async () => {
      const { run, said, traffic, sim } = await play({
        acts: [
          [{ say: "One", usage: { input: 100, output: 20, cacheRead: 3000, cacheWrite: 400 } }],
          [{ say: "Two", usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } }],
        ],
      });
      const counted = lacks.includes("cache writes")
        ? { inputTokens: 505, outputTokens: 22, cacheReadTokens: 3003 }
        : { inputTokens: 101, outputTokens: 22, cacheReadTokens: 3003, cacheWriteTokens: 404 };
      expect(traffic.usage).toMatchObject(counted);
      expect(run.usage).toMatchObject(counted);
      expect(said?.usage).toMatchObject(counted);
      expect(run.notes).toEqual([]);
      expect(run.usage.costUsd).toBeGreaterThan(0);
      expect(traffic.exchanges).toHaveLength(sim.requests.filter(({ seen }) => seen !== null).length);
      expect(traffic).toMatchObject({ unmetered: 0, replayed: 0, errors: {}, stopped: null });
    });

    it("is valid by what the model was shown, whatever else should have been there", async () => {
      const acts = [[{ say: "Hello" }]];
      const robbed = await playTrial({ harness: afterwards(harness, "without"), acts, sandbox: "none" });
      expect(robbed.run).toMatchObject({
        outcome: { status: "invalid", message: expect.stringContaining("did not offer") },
        validity: { status: "invalid" },
      });
      expect(robbed.run.skillsOffered).not.toContain(SKILL);
      const slipped = await playTrial({
        harness: afterwards(harness, "with"),
        acts,
        sandbox: "none",
        variant: "without_skill",
      });
      expect(slipped.run).toMatchObject({
        outcome: { status: "invalid", message: expect.stringContaining("was offered") },
        validity: { status: "invalid" },
        skillsOffered: expect.arrayContaining([SKILL, ...bundled]),
      });
    });

    it("is left out when the service refuses its key, and does not ask again", async () => {
      const { run, output, sim } = await play({ acts: [[{ refuse: 401 }]] });
      expect(run.outcome).toEqual({
        status: "auth",
        message: expect.stringContaining("401"),
        mayPass: false,
      });
      expect(output).toBe("");
      expect(modelRequests(sim)).toBe(1);
    });

    it("notices nothing of a busy service: the gateway waits and asks again", async () => {
      const { run, traffic, sim } = await play({
        acts: [[{ say: "Hello" }]],
        faults: [{ fault: { status: 429, retryAfter: 0.2 }, times: 2 }],
      });
      expect(run.outcome).toEqual({ status: "completed" });
      expect(traffic.exchanges).toMatchObject([{ attempts: 3, status: 200 }]);
      expect(traffic.errors).toEqual({ 429: 2 });
      expect(modelRequests(sim)).toBe(3);
      expect(run.steps).toBe(1);
    });

    it("is left out when the service stays busy, after the gateway's attempts and none of its own", async () => {
      const { run, traffic, sim } = await play({
        acts: [[{ say: "never" }]],
        faults: [{ fault: { status: 429, retryAfter: 0.1 } }],
      });
      expect(run.outcome).toEqual({
        status: "rate-limit",
        message: expect.stringContaining("429"),
        mayPass: true,
      });
      expect(traffic.exchanges).toMatchObject([{ attempts: modelRequests(sim) }]);
      expect(modelRequests(sim)).toBeGreaterThan(2);
      expect(run.durationMs).toBeLessThan(20_000);
    });

    it("is left out when the service is broken", async () => {
      const { run, traffic, sim } = await play({ acts: [[{ refuse: 500 }]], deadlineSeconds });
      expect(run.outcome).toEqual({ status: "api", message: expect.stringMatching(/./), mayPass: true });
      expect(traffic.errors).toEqual({ 500: modelRequests(sim) });
      expect(modelRequests(sim)).toBeLessThan(10);
    });

    it("ends at once when the budget does not cover its first request", async () => {
      const { run, traffic, sim } = await play({
        acts: [[{ say: "never" }]],
        budget: { maxCostUsd: 0.0001, maxTokens: null },
      });
      expect(run.outcome).toEqual({
        status: "budget",
        message: expect.stringContaining("--max-cost"),
        mayPass: false,
      });
      expect(traffic.exchanges).toMatchObject([{ end: "refused", attempts: 0 }]);
      expect(modelRequests(sim)).toBe(0);
      expect(run.durationMs).toBeLessThan(15_000);
    });

    it("ends at once when the budget is used up on the way", async () => {
      const { run, traffic, sim } = await play({
        acts: [
          [{ say: "One", usage: { input: 100_000, output: 20, cacheRead: 0, cacheWrite: 0 } }],
          [{ say: "never" }],
        ],
        budget: { maxCostUsd: null, maxTokens: 110_000 },
      });
      expect(run.outcome).toEqual({
        status: "budget",
        message: expect.stringContaining("--max-tokens"),
        mayPass: false,
      });
      expect(traffic.exchanges.map(({ end }) => end)).toEqual([
        "complete",
        ...(compacts ? ["complete"] : []),
        "refused",
      ]);
      expect(modelRequests(sim)).toBe(compacts ? 2 : 1);
      expect(run.durationMs).toBeLessThan(20_000);
    });
  });
}

/** Requests for answers that reached the service. */
function modelRequests({ requests }: Sim): number {
  return requests.filter(({ seen }) => seen !== null).length;
}

/** The client in a workspace that somebody gave the skill to, or took it from, after it was staged. */
function afterwards(harness: Harness, change: "with" | "without"): Harness {
  return {
    ...harness,
    async run(request, context) {
      const folder = join(context.places.workspace, harness.skillsFolder, SKILL);
      await rm(folder, { recursive: true, force: true });
      if (change === "with") {
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, "SKILL.md"), `---\nname: ${SKILL}\ndescription: Greets.\n---\nGreet.\n`);
      }
      return harness.run(request, context);
    },
  };
}
