import type { Act, HarnessWorld } from "../../../src/run/harness.contract.ts";
import type { Harness } from "../../../src/run/harness.ts";
import { gatewayTo } from "../../e2e/support/trial-kit.ts";
import { simWorld } from "../../support/sim-world.ts";

/** As the product runs it: between the client and the scripted model there is the gateway, which ends retries. */
export async function gatewayWorld(
  harness: Harness,
  turns: readonly (readonly Act[])[],
): Promise<HarnessWorld> {
  const world = await simWorld(harness, turns);
  const gateway = await gatewayTo(world.sim, { patience: { attempts: 2 } });
  const port = gateway.open({ trial: "contract" });
  return {
    harness,
    endpoint: port.endpoint,
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await world[Symbol.asyncDispose]();
    },
  };
}
