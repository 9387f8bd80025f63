import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Batch, Executor } from "./executor.ts";

/** What every executor promises; `create` makes one that runs so many jobs at once. */
export function executorContract(name: string, create: (concurrency: number) => Executor): void {
  describe(`executor ${name}`, () => {
    it("runs every job once, started in order", async () => {
      const log = journal();
      await create(3).run(
        batchOf(Array.from({ length: 20 }, (_, i) => log.job(`j${i}`, (i * 7) % 5))),
        new AbortController().signal,
      );
      expect(log.started).toEqual(Array.from({ length: 20 }, (_, i) => `j${i}`));
      expect(log.ended.toSorted()).toEqual(log.started.toSorted());
    });

    it.each([1, 2, 5])("runs at most %i at once, and that many where there is work", async (concurrency) => {
      const log = journal();
      await create(concurrency).run(
        batchOf(Array.from({ length: 12 }, (_, i) => log.job(`j${i}`, 5))),
        new AbortController().signal,
      );
      expect(log.most()).toBe(concurrency);
    });

    it("has nothing to do without jobs", async () => {
      await expect(create(2).run(batchOf([]), new AbortController().signal)).resolves.toBeUndefined();
    });

    it("starts nothing after the signal, lets what runs end, and does not take that for an error", async () => {
      const log = journal();
      const controller = new AbortController();
      const stopper: Work = {
        id: "stopper",
        async run(signal) {
          controller.abort();
          expect(signal.aborted).toBe(true);
        },
      };
      const jobs = [log.job("long", 30), stopper, log.job("never", 1), log.job("never either", 1)];
      await create(2).run(batchOf(jobs), controller.signal);
      expect(log.started).toEqual(["long"]);
      expect(log.ended).toEqual(["long"]);
    });

    it("starts nothing at all when the signal has fired before", async () => {
      const log = journal();
      await create(2).run(batchOf([log.job("never", 1)]), AbortSignal.abort());
      expect(log.started).toEqual([]);
    });

    it("stops the rest and throws when a job rejects, after all that was started has ended", async () => {
      const log = journal();
      const seen: boolean[] = [];
      const slow: Work = {
        id: "slow",
        async run(signal) {
          await sleep(40);
          seen.push(signal.aborted);
        },
      };
      const broken: Work = { id: "broken", run: () => Promise.reject(new Error("our mistake")) };
      const running = create(2).run(
        batchOf([slow, broken, log.job("never", 1)]),
        new AbortController().signal,
      );
      await expect(running).rejects.toThrow("our mistake");
      expect(seen).toEqual([true]);
      expect(log.started).toEqual([]);
    });

    it("lets batches that are run at once take turns, within one limit", async () => {
      const log = journal();
      const executor = create(2);
      const { signal } = new AbortController();
      const long = Array.from({ length: 20 }, (_, i) => log.job(`long ${i}`, 3));
      const short = Array.from({ length: 3 }, (_, i) => log.job(`short ${i}`, 3));
      const running = executor.run(batchOf(long), signal);
      await executor.run(batchOf(short), signal);
      const endedWithShort = log.ended.filter((id) => id.startsWith("long")).length;
      await running;
      expect(log.most()).toBe(2);
      expect(endedWithShort).toBeLessThan(10);
      expect(log.ended).toHaveLength(23);
    });

    it("keeps the mistake of one batch from another", async () => {
      const log = journal();
      const executor = create(1);
      const { signal } = new AbortController();
      const broken: Work = { id: "broken", run: () => Promise.reject(new Error("our mistake")) };
      const failing = executor.run(batchOf([broken, log.job("never", 1)]), signal);
      const others = Array.from({ length: 4 }, (_, i) => log.job(`j${i}`, 5));
      const running = executor.run(batchOf(others), signal);
      await expect(failing).rejects.toThrow("our mistake");
      await running;
      expect(log.ended.toSorted()).toEqual(["j0", "j1", "j2", "j3"]);
    });

    it("throws what a job throws before it has made a promise", async () => {
      const broken: Work = {
        id: "broken",
        run() {
          throw new Error("at once");
        },
      };
      await expect(create(1).run(batchOf([broken]), new AbortController().signal)).rejects.toThrow("at once");
    });
  });
}

/** A piece of work for tests: what is done is looked up by the job's id, as a worker elsewhere would. */
interface Work {
  readonly id: string;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

function batchOf(works: readonly Work[]): Batch {
  const byId = new Map(works.map((work) => [work.id, work]));
  return {
    jobs: works.map(({ id }) => ({ id, key: `key of ${id}` })),
    perform: (job, signal) => byId.get(job.id)?.run(signal) ?? Promise.reject(new Error(`unknown ${job.id}`)),
  };
}

interface Journal {
  readonly started: string[];
  readonly ended: string[];
  job(id: string, ms: number): Work;
  /** The most jobs that ran at the same time. */
  most(): number;
}

function journal(): Journal {
  const started: string[] = [];
  const ended: string[] = [];
  let most = 0;
  return {
    started,
    ended,
    most: () => most,
    job: (id, ms) => ({
      id,
      async run() {
        started.push(id);
        most = Math.max(most, started.length - ended.length);
        await sleep(ms);
        ended.push(id);
      },
    }),
  };
}
