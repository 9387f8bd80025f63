import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adaptiveLimiter, type Limiter, type Permit, type ServiceSaid } from "./limiter.ts";
import { fakeClock } from "./test-gateway.ts";

const FINE: ServiceSaid = { kind: "fine" };
const LIMITED: ServiceSaid = { kind: "limited", retryAfterMs: null };
const never = new AbortController().signal;

async function take(limiter: Limiter, count: number): Promise<Permit[]> {
  return Promise.all(Array.from({ length: count }, () => limiter.acquire(never)));
}

/** Uses the limit up and gives everything back clean, as often as a round takes. */
async function cleanRound(limiter: Limiter): Promise<void> {
  let held = await take(limiter, limiter.snapshot().limit);
  const answers = limiter.snapshot().limit;
  for (let count = 0; count < answers; count++) {
    held[0]!.release(FINE);
    held = [...held.slice(1), await limiter.acquire(never)];
  }
  for (const permit of held) permit.release({ kind: "nothing" });
}

describe("the limit", () => {
  it("starts at 20 and lets the rest wait in order", async () => {
    const limiter = adaptiveLimiter(fakeClock());
    const permits = await take(limiter, 20);
    const order: number[] = [];
    for (const place of [1, 2, 3]) void limiter.acquire(never).then(() => order.push(place));
    expect(limiter.snapshot()).toMatchObject({
      limit: 20,
      inFlight: 20,
      waiting: 3,
      pausedMs: 0,
      cooling: false,
    });
    permits[7]!.release(FINE);
    permits[7]!.release(FINE);
    permits[3]!.release(FINE);
    await new Promise(setImmediate);
    expect(order).toEqual([1, 2]);
    expect(limiter.snapshot()).toMatchObject({ inFlight: 20, waiting: 1 });
  });

  it("is cut once for each episode of refusals, never below the floor", async () => {
    const clock = fakeClock();
    const limiter = adaptiveLimiter(clock);
    for (const permit of await take(limiter, 5)) permit.release(LIMITED);
    expect(limiter.snapshot()).toMatchObject({ limit: 16, cooling: true, limited: 5 });
    const limits: number[] = [];
    for (let episode = 0; episode < 5; episode++) {
      await clock.advance(15_000);
      (await limiter.acquire(never)).release(LIMITED);
      limits.push(limiter.snapshot().limit);
    }
    expect(limits).toEqual([12, 10, 10, 10, 10]);
  });

  it("grows by a twentieth after a clean round that used it up", async () => {
    const limiter = adaptiveLimiter(fakeClock());
    await cleanRound(limiter);
    expect(limiter.snapshot().limit).toBe(21);
    for (let round = 0; round < 100; round++) await cleanRound(limiter);
    expect(limiter.snapshot().limit).toBe(100);
  });

  it("does not grow while it is hardly used", async () => {
    const limiter = adaptiveLimiter(fakeClock());
    for (let round = 0; round < 10; round++)
      for (const permit of await take(limiter, 10)) permit.release(FINE);
    expect(limiter.snapshot().limit).toBe(20);
  });

  it("does not grow while it cools down, which a retry-after makes longer", async () => {
    const clock = fakeClock();
    const limiter = adaptiveLimiter(clock);
    (await limiter.acquire(never)).release({ kind: "limited", retryAfterMs: 40_000 });
    await clock.advance(40_000 - 1);
    expect(limiter.snapshot()).toMatchObject({ limit: 16, cooling: true, pausedMs: 1 });
    await clock.advance(1);
    await cleanRound(limiter);
    expect(limiter.snapshot().limit).toBe(17);
  });

  it("starts its round again after a failure of the service, without a cut", async () => {
    const limiter = adaptiveLimiter(fakeClock());
    const held = await take(limiter, 20);
    const turn = async (said: ServiceSaid): Promise<void> => {
      held.shift()!.release(said);
      held.push(await limiter.acquire(never));
    };
    for (let count = 0; count < 19; count++) await turn(FINE);
    await turn({ kind: "failing" });
    await turn(FINE);
    expect(limiter.snapshot().limit).toBe(20);
    for (let count = 0; count < 19; count++) await turn(FINE);
    expect(limiter.snapshot().limit).toBe(21);
  });
});

describe("a retry-after", () => {
  it("holds everybody back for exactly as long as the service says", async () => {
    const clock = fakeClock();
    const limiter = adaptiveLimiter(clock);
    (await limiter.acquire(never)).release({ kind: "limited", retryAfterMs: 7_000 });
    const entered: string[] = [];
    void limiter.acquire(never).then(() => entered.push("new"));
    void limiter.acquire(never, { again: true }).then(() => entered.push("again"));
    await clock.advance(6_999);
    expect(entered).toEqual([]);
    expect(limiter.snapshot()).toMatchObject({ inFlight: 0, waiting: 2, pausedMs: 1 });
    await clock.advance(1);
    await new Promise(setImmediate);
    expect(entered).toEqual(["again", "new"]);
  });

  it("is not made shorter by another, and a longer one makes it longer", async () => {
    const clock = fakeClock();
    const limiter = adaptiveLimiter(clock);
    const [a, b, c, d] = await take(limiter, 4);
    a!.release({ kind: "limited", retryAfterMs: 5_000 });
    b!.release({ kind: "limited", retryAfterMs: 1_000 });
    c!.release(LIMITED);
    expect(limiter.pausedMs()).toBe(5_000);
    let entered = false;
    void limiter.acquire(never).then(() => (entered = true));
    await clock.advance(3_000);
    d!.release({ kind: "limited", retryAfterMs: 6_000 });
    await clock.advance(5_999);
    expect(entered).toBe(false);
    await clock.advance(1);
    await new Promise(setImmediate);
    expect(entered).toBe(true);
  });
});

describe("waiting", () => {
  it("ends when the signal fires, and the place goes to the next", async () => {
    const limiter = adaptiveLimiter(fakeClock(), { start: 1, floor: 1 });
    const first = await limiter.acquire(never);
    const leave = new AbortController();
    const second = limiter.acquire(leave.signal);
    const third = limiter.acquire(never);
    leave.abort();
    await expect(second).rejects.toThrow(/abort/i);
    first.release(FINE);
    await third;
    expect(limiter.snapshot()).toMatchObject({ inFlight: 1, waiting: 0 });
    await expect(limiter.acquire(leave.signal)).rejects.toThrow(/abort/i);
  });
});

const saids = fc.constantFrom<ServiceSaid>(
  FINE,
  FINE,
  FINE,
  LIMITED,
  { kind: "limited", retryAfterMs: 500 },
  { kind: "failing" },
  { kind: "nothing" },
);
const steps = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant("ask" as const) }),
    fc.record({ act: fc.constant("give" as const), said: saids, which: fc.nat() }),
    fc.record({ act: fc.constant("wait" as const), ms: fc.nat(2_000) }),
  ),
  { maxLength: 120 },
);

describe("whatever happens", () => {
  it("at most the limit is in flight, nothing enters a pause, and nobody is forgotten", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const clock = fakeClock();
        const limiter = adaptiveLimiter(clock, { start: 4, floor: 2, ceiling: 6, cooldownMs: 1_000 });
        const held: Permit[] = [];
        const seen = { asked: 0, enteredInPause: 0 };
        const ask = async (): Promise<void> => {
          seen.asked++;
          const permit = await limiter.acquire(never);
          if (limiter.pausedMs() > 0) seen.enteredInPause++;
          held.push(permit);
        };
        const entering: Promise<void>[] = [];
        for (const step of plan) {
          if (step.act === "ask") entering.push(ask());
          else if (step.act === "wait") await clock.advance(step.ms);
          else held.splice(step.which % (held.length + 1), 1)[0]?.release(step.said);
          await new Promise(setImmediate);
          const { limit, inFlight } = limiter.snapshot();
          expect(limit).toBeGreaterThanOrEqual(2);
          expect(limit).toBeLessThanOrEqual(6);
          expect(inFlight).toBe(held.length);
          expect(inFlight).toBeLessThanOrEqual(6);
        }
        for (let count = 0; count < seen.asked; count++) {
          held.shift()?.release(FINE);
          await clock.advance(1_000);
        }
        await Promise.all(entering);
        expect(seen.enteredInPause).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
