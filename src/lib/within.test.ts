import { describe, expect, it } from "vitest";
import { within } from "./within.ts";

const never = () => new Promise<never>(() => {});
const LONG = 60_000;

describe("within", () => {
  it("gives the answer, or what was thrown at once or later", async () => {
    expect(await within(() => 3, { limitMs: LONG })).toBe(3);
    expect(await within(async () => 4, { limitMs: LONG })).toBe(4);
    const broken = () => {
      throw new Error("it broke");
    };
    await expect(within(broken, { limitMs: LONG })).rejects.toThrow("it broke");
    await expect(within(async () => broken(), { limitMs: LONG })).rejects.toThrow("it broke");
  });

  it("ends with the limit, in words", async () => {
    await expect(within(never, { limitMs: 20 })).rejects.toThrow("it gave no answer within 0 s");
  });

  it("begins nothing after the signal", async () => {
    let begun = false;
    const work = () => void (begun = true);
    await expect(within(work, { limitMs: LONG, signal: AbortSignal.abort() })).rejects.toThrow(/stopped/);
    expect(begun).toBe(false);
  });

  it("ends with the signal, and leaves no listener", async () => {
    const stop = new AbortController();
    const waiting = within(never, { limitMs: LONG, signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toMatchObject({ cause: { message: "enough" } });
  });

  it("waits a while longer where it is told to, also when the signal came first", async () => {
    const soon = () => new Promise((resolve) => setImmediate(() => resolve("done")));
    const signal = AbortSignal.abort();
    expect(await within(soon, { limitMs: LONG, signal, graceMs: LONG })).toBe("done");
    await expect(within(never, { limitMs: LONG, signal, graceMs: 5 })).rejects.toThrow(/stopped/);
  });

  it("ignores a failure that comes too late", async () => {
    let fail: (error: Error) => void = () => {};
    const late = new Promise<never>((_, reject) => void (fail = reject));
    await expect(within(() => late, { limitMs: 5 })).rejects.toThrow("it gave no answer");
    fail(new Error("late"));
    await new Promise(setImmediate);
  });
});
