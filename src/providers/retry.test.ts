import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure } from "./failure.ts";
import { type Attempt, pauseMs, persist } from "./retry.ts";

const NEVER = new AbortController().signal;

function failure(reason: Failure["reason"], retry: Failure["retry"]): Failure {
  return { reason, message: `${reason} it is`, status: null, retry };
}

const BACK_OFF = { kind: "back-off" } as const;

/** A clock that only sleeping moves. */
function clock() {
  let now = 5000;
  const waits: number[] = [];
  return {
    waits,
    advance: (ms: number) => void (now += ms),
    patience: {
      now: () => now,
      random: () => 0.5,
      sleep: async (ms: number) => {
        waits.push(ms);
        now += ms;
      },
    },
  };
}

function script(...failures: readonly Failure[]) {
  let index = 0;
  return async (): Promise<Attempt<string>> => {
    const found = failures[index++];
    return found === undefined ? { ok: true, value: "answer" } : { ok: false, failure: found };
  };
}

describe("the pause before another attempt", () => {
  it.each([
    [1, 0, 500],
    [1, 1, 1000],
    [2, 1, 2000],
    [3, 0.5, 3000],
    [6, 1, 32_000],
    [20, 1, 60_000],
  ])("after %i attempts with luck %d is %d ms", (attempts, luck, ms) => {
    expect(pauseMs(failure("api", BACK_OFF), attempts, () => luck)).toBe(ms);
  });

  it("stays in bounds and is exactly what the service asks for", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (count, luck) => {
          const pause = pauseMs(failure("network", BACK_OFF), count, () => luck);
          expect(pause).toBeGreaterThanOrEqual(500);
          expect(pause).toBeLessThanOrEqual(60_000);
          const asked = failure("rate-limit", { kind: "after", waitMs: count * 1234 });
          expect(pauseMs(asked, count, () => luck)).toBe(count * 1234);
        },
      ),
    );
  });
});

describe("trying", () => {
  it("goes on through different troubles to an answer", async () => {
    const { patience, waits } = clock();
    const attempt = script(
      failure("rate-limit", { kind: "after", waitMs: 4000 }),
      failure("network", BACK_OFF),
      failure("api", BACK_OFF),
    );
    expect(await persist(attempt, patience, NEVER)).toEqual({ ok: true, value: "answer" });
    expect(waits).toEqual([4000, 1500, 3000]);
  });

  it.each([
    ["auth", 1],
    ["budget", 1],
    ["network", 3],
    ["api", 6],
    ["rate-limit", 6],
  ] as const)("counts attempts at %s up to %i", async (reason, count) => {
    const { patience, waits } = clock();
    const attempt = script(...Array.from({ length: 20 }, () => failure(reason, BACK_OFF)));
    expect(await persist(attempt, patience, NEVER)).toEqual({
      ok: false,
      failure: failure(reason, BACK_OFF),
    });
    expect(waits).toHaveLength(count - 1);
  });

  it("can be told to try once only", async () => {
    const { patience, waits } = clock();
    const attempt = script(failure("api", BACK_OFF));
    expect((await persist(attempt, { ...patience, attempts: 1 }, NEVER)).ok).toBe(false);
    expect(waits).toEqual([]);
  });

  it("does not begin a wait that ends after the deadline", async () => {
    const { patience, waits } = clock();
    const attempt = script(failure("api", BACK_OFF), failure("api", { kind: "after", waitMs: 10_000 }));
    const tried = await persist(attempt, { ...patience, deadlineMs: 10_000 }, NEVER);
    expect(tried).toMatchObject({ ok: false, failure: { reason: "api" } });
    expect(waits).toEqual([750]);
  });

  it("makes no attempt when the time is up", async () => {
    const { patience, advance } = clock();
    let count = 0;
    const attempt = async (): Promise<Attempt<string>> => {
      count++;
      advance(9999);
      return { ok: false, failure: failure("api", { kind: "after", waitMs: 0 }) };
    };
    const tried = await persist(
      attempt,
      { ...patience, deadlineMs: 10_000, sleep: async () => advance(1) },
      NEVER,
    );
    expect(count).toBe(1);
    expect(tried).toMatchObject({
      ok: false,
      failure: { reason: "api", message: "no answer within 10 s; before that: api it is" },
    });
  });

  it("throws what is wrong with us", async () => {
    const attempt = async (): Promise<Attempt<string>> => {
      throw new TypeError("our mistake");
    };
    await expect(persist(attempt, {}, NEVER)).rejects.toThrow("our mistake");
  });
});
