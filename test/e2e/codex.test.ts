import { describe, expect, it } from "vitest";
import { NO_SETTINGS } from "../../src/domain/suite.ts";
import { codexClient } from "./support/clients.ts";
import { gatewaySuite } from "./support/gateway-suite.ts";
import { playTrial, sent, SKILL, type TrialSetup } from "./support/trial-kit.ts";
import { trialSuite } from "./support/trial-suite.ts";

const { harness, installed } = await codexClient();
const play = (setup: Omit<TrialSetup, "harness">) => playTrial({ harness, ...setup });

describe.skipIf(!installed)("Codex, like any other", () => {
  trialSuite(harness);
  gatewaySuite(harness);
});

describe.skipIf(!installed)("Codex", () => {
  it("does not say which skills it offers, so that only the gateway can verify an arm without it", async () => {
    const { said, run } = await play({ acts: [[{ say: "Hello" }]], variant: "without_skill" });
    expect(said).toMatchObject({ skillsOffered: null });
    expect(run).toMatchObject({ validity: { status: "verified" }, skillsOffered: [] });
  });

  it("is told the system prompt of the case before the invocation", async () => {
    const traces = await play({
      acts: [[{ say: "0x41" }]],
      case: {
        format: "clauditor",
        prompt: { kind: "invocation", args: "Ada" },
        settings: { ...NO_SETTINGS, systemPrompt: "Greet in hexadecimal." },
      },
    });
    expect(traces.run.outcome).toEqual({ status: "completed" });
    expect(sent(traces)).toContain(`Greet in hexadecimal.\\n\\n$${SKILL} Ada`);
    expect(traces.run.sent?.systemPrompt).toBe("explicit");
  });

  it("cannot write where its own sandbox forbids it, which starts only outside ours", async () => {
    const traces = await play({
      acts: [[{ bash: "echo x > a.txt" }, { say: "I could not" }]],
      options: { permissionMode: "read-only" },
      sandbox: "none",
    });
    expect(traces.run.outcome).toEqual({ status: "completed" });
    expect(traces.run.changes).toEqual([]);
    expect(sent(traces)).toContain("Read-only file system");
    expect(traces.run.notes).toEqual([expect.stringContaining("its own sandbox")]);
  });

  it("says what it cannot be told", async () => {
    const { run } = await play({
      acts: [[{ say: "Hello" }]],
      options: { maxTurns: 3, allowedTools: ["shell"] },
    });
    expect(run.notes).toEqual([
      "codex has no turn limit, so yours was not applied",
      "codex has no list of allowed tools, so yours was not applied",
    ]);
  });
});
