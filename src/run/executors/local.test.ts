import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { executorContract } from "../executor.contract.ts";
import { defaultConcurrency, local, machineCapacity } from "./local.ts";

executorContract("local", (concurrency) => local({ concurrency }));

const GIB = 1024 ** 3;

describe("memory admission", () => {
  it("lets one job run however little is free, and never two", async () => {
    const most = await mostAtOnce({ freeBytes: () => 0 });
    expect(most).toBe(1);
  });

  it("lets more run as soon as there is room", async () => {
    let looks = 0;
    const most = await mostAtOnce({ freeBytes: () => (looks++ < 3 ? 0 : 2 * GIB) });
    expect(most).toBeGreaterThan(1);
  });

  it("does not keep an aborted run waiting", async () => {
    const controller = new AbortController();
    const executor = local({
      concurrency: 2,
      memory: { floorBytes: 1, freeBytes: () => 0, recheckMs: 60_000 },
    });
    const jobs = [
      { id: "j1", key: "k" },
      { id: "j2", key: "k" },
    ];
    const perform = async (_: unknown, signal: AbortSignal): Promise<void> => {
      await sleep(60_000, undefined, { signal }).catch(() => {});
    };
    const running = executor.run({ jobs, perform }, controller.signal);
    setTimeout(() => controller.abort(), 20);
    await expect(running).resolves.toBeUndefined();
  });
});

describe("the default concurrency", () => {
  it.each([
    [{ cores: 2, freeMemoryBytes: 24 * GIB }, 4],
    [{ cores: 8, freeMemoryBytes: 3 * GIB }, 4],
    [{ cores: 8, freeMemoryBytes: 0.2 * GIB }, 1],
    [{ cores: 64, freeMemoryBytes: 256 * GIB }, 128],
  ])("of %o is %i", (capacity, expected) => {
    expect(defaultConcurrency(capacity)).toBe(expected);
  });

  it("is at least one and fits into memory", () => {
    const capacity = fc.record({ cores: fc.integer({ min: 1, max: 512 }), freeMemoryBytes: fc.nat(2 ** 31) });
    fc.assert(
      fc.property(capacity, (capacity) => {
        const concurrency = defaultConcurrency(capacity);
        expect(concurrency).toBeGreaterThanOrEqual(1);
        expect(concurrency === 1 || concurrency * 0.75 * GIB <= capacity.freeMemoryBytes).toBe(true);
      }),
    );
  });

  it("can be had for this machine", () => {
    expect(defaultConcurrency(machineCapacity())).toBeGreaterThanOrEqual(1);
  });
});

async function mostAtOnce({ freeBytes }: { freeBytes: () => number }): Promise<number> {
  let running = 0;
  let most = 0;
  const perform = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await sleep(10);
    running--;
  };
  const executor = local({ concurrency: 4, memory: { floorBytes: GIB, freeBytes, recheckMs: 1 } });
  await executor.run(
    { jobs: Array.from({ length: 8 }, (_, index) => ({ id: `j${index}`, key: "k" })), perform },
    new AbortController().signal,
  );
  return most;
}
