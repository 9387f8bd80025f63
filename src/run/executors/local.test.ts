import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { executorContract } from "../executor.contract.ts";
import { defaultConcurrency, local, machineCapacity } from "./local.ts";
import { createPace } from "../pace.ts";

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

describe("jobs made ready ahead", () => {
  it("leave the machine to the first ones at the start, and come before those have ended", async () => {
    const started: string[] = [];
    let release = (): void => {};
    const ended = new Promise<void>((resolve) => (release = resolve));
    const jobs = ["j1", "j2", "j3", "j4"].map((id) => ({ id, key: "k" }));
    const running = local({ concurrency: 2, ahead: 1 }).run(
      {
        jobs,
        perform: async ({ id }) => {
          started.push(id);
          if (id === "j3") release();
          await ended;
        },
      },
      new AbortController().signal,
    );
    await sleep(0);
    expect(started).toEqual(["j1", "j2"]);
    await running;
    expect(started).toEqual(["j1", "j2", "j3", "j4"]);
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

describe("a pace that people change", () => {
  const jobs = Array.from({ length: 6 }, (_, index) => ({ id: `j${index}`, key: "k" }));

  /** Jobs that end when they are told to. */
  function heldJobs() {
    const begun: string[] = [];
    const waiting: (() => void)[] = [];
    return {
      begun,
      perform: async ({ id }: { id: string }) => {
        begun.push(id);
        await new Promise<void>((resolve) => void waiting.push(resolve));
      },
      endOne: async () => {
        waiting.shift()?.();
        await sleep(0);
      },
    };
  }

  it("starts nothing while it is paused, and more at once after it was widened", async () => {
    const pace = createPace(1);
    const held = heldJobs();
    const running = local({ concurrency: 1, pace }).run({ jobs, ...held }, new AbortController().signal);
    expect(held.begun).toEqual(["j0"]);
    pace.pause();
    await held.endOne();
    expect(held.begun).toEqual(["j0"]);
    pace.limit(3);
    expect(held.begun).toEqual(["j0"]);
    pace.resume();
    expect(held.begun).toEqual(["j0", "j1", "j2", "j3"]);
    while (held.begun.length < 6) await held.endOne();
    for (const _ of jobs) await held.endOne();
    await running;
  });

  it("gives up what waits when it is stopped, also what comes later, and ends what has begun", async () => {
    const pace = createPace(2);
    const held = heldJobs();
    const never = new AbortController().signal;
    const executor = local({ concurrency: 2, pace });
    const running = executor.run({ jobs, ...held }, never);
    pace.stop("control");
    pace.resume();
    await held.endOne();
    await held.endOne();
    await running;
    await executor.run({ jobs, ...held }, never);
    expect(held.begun).toEqual(["j0", "j1"]);
    expect(pace).toMatchObject({ state: "stopping", stoppedBy: "control" });
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
