import { describe, expect, it } from "vitest";
import { claude } from "./support/clients.ts";
import { gatewaySuite } from "./support/gateway-suite.ts";
import { ofKind, playTrial, sent, SKILL, SKILL_MARK, type TrialSetup } from "./support/trial-kit.ts";
import { trialSuite } from "./support/trial-suite.ts";

const { harness, installed } = await claude();
const play = (setup: Omit<TrialSetup, "harness">) => playTrial({ harness, ...setup });

describe.skipIf(!installed)("Claude Code, like any other", () => {
  trialSuite(harness);
  gatewaySuite(harness);
});

describe.skipIf(!installed)("Claude Code", () => {
  it("says which skills it offers, so that both arms are verified", async () => {
    const acts = [[{ say: "Hello" }]];
    const [with_, without] = [await play({ acts }), await play({ acts, variant: "without_skill" })];
    expect(with_.run).toMatchObject({ validity: { status: "verified" }, skillsOffered: [SKILL] });
    expect(without.run).toMatchObject({ validity: { status: "verified" }, skillsOffered: [] });
  });

  it("takes a command file as a slash command", async () => {
    const traces = await play({
      acts: [[{ say: "0xCAFEBABE Ada" }]],
      skill: "command",
      case: { format: "clauditor", prompt: { kind: "invocation", args: "Ada" } },
    });
    expect(traces.run).toMatchObject({
      outcome: { status: "completed" },
      validity: { status: "verified" },
    });
    expect(traces.run.activations).toMatchObject([{ skill: SKILL, by: "invocation" }]);
    expect(sent(traces)).toContain(SKILL_MARK);
  });

  it("calls a run invalid whose slash command it does not know", async () => {
    const { run } = await play({
      acts: [[{ say: "never" }]],
      case: { prompt: { kind: "turns", turns: ["/no-such-skill Ada"] } },
    });
    expect(run.outcome).toEqual({
      status: "invalid",
      message: expect.stringContaining("/no-such-skill"),
      mayPass: false,
    });
  });

  it("tells what it was denied", async () => {
    const { run, events } = await play({
      acts: [[{ write: "a.txt", content: "x" }, { say: "I could not" }]],
      options: { permissionMode: "default" },
    });
    expect(run.outcome).toEqual({ status: "completed" });
    expect(run.denials).toMatchObject([{ tool: "Write" }]);
    expect(ofKind(events, "tool-result")).toMatchObject([{ tool: "Write", isError: true, denied: true }]);
    expect(run.changes).toEqual([]);
  });

  it("allows the tools it is told to allow, and no others", async () => {
    const { run } = await play({
      acts: [[{ write: "a.txt", content: "x" }, { bash: "touch b.txt" }, { say: "Half" }]],
      options: { allowedTools: ["Write", "Skill"] },
    });
    expect(run.changes.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(run.denials).toMatchObject([{ tool: "Bash" }]);
  });

  it("is stopped by its limit of turns", async () => {
    const { run } = await play({
      acts: [[{ bash: "true" }, { bash: "true" }, { say: "never" }]],
      options: { maxTurns: 1 },
    });
    expect(run.outcome.status).toBe("max-turns");
  });

  it("stops with a question only where that is not allowed", async () => {
    const acts = [[{ say: "Which file do you mean?" }]];
    const strict = await play({ acts, options: { allowHangHeuristic: true } });
    expect(strict.run.outcome).toMatchObject({ status: "interactive", cause: "question" });
    const lax = await play({ acts });
    expect(lax.run.outcome).toEqual({ status: "completed" });
    expect(lax.run.notes).toEqual(["the run looks like an interactive stop, which this case allows"]);
  });
});
