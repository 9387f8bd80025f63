import { describe } from "vitest";
import { harnessContract } from "../../../src/run/harness.contract.ts";
import type { PinnedClient } from "../../e2e/support/clients.ts";
import { gatewaySuite } from "../../e2e/support/gateway-suite.ts";
import { type Traits, trialSuite } from "../../e2e/support/trial-suite.ts";
import { gatewayWorld } from "./gateway-world.ts";

/** Everything that a real agent program must show, against the scripted model. */
export function agentSuite({ harness, version, installed }: PinnedClient, traits: Traits): void {
  describe.skipIf(!installed)(`${harness.name} ${version}`, () => {
    harnessContract(`${harness.name} ${version}`, {
      make: (turns) => gatewayWorld(harness, turns),
      startMs: (traits.deadlineSeconds ?? 8) * 500,
      model: traits.model ?? "gpt-5.5",
      ...(traits.lacks && { lacks: traits.lacks }),
    });
    trialSuite(harness, traits);
    gatewaySuite(harness, traits);
  });
}
