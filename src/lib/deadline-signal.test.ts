import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { deadlineSignal } from "./deadline-signal.ts";

describe("deadlineSignal", () => {
  it("fires when the time is up", async () => {
    using deadline = deadlineSignal(new AbortController().signal, 20);
    await sleep(100);
    expect((deadline.signal.reason as Error).name).toBe("TimeoutError");
  });

  it("fires with the other signal, and its reason", () => {
    const outer = new AbortController();
    using deadline = deadlineSignal(outer.signal, 60_000);
    outer.abort(new Error("enough"));
    expect((deadline.signal.reason as Error).message).toBe("enough");
  });

  it("does not say that its time is up when another signal's is", () => {
    const outer = new AbortController();
    using deadline = deadlineSignal(outer.signal, 60_000);
    outer.abort(new DOMException("the caller's own time", "TimeoutError"));
    expect((deadline.signal.reason as Error).name).toBe("AbortError");
  });

  it("has fired when the other has", () => {
    using deadline = deadlineSignal(AbortSignal.abort(), 60_000);
    expect(deadline.signal.aborted).toBe(true);
  });

  it("does not fire at once for a time longer than a timer can be", async () => {
    using deadline = deadlineSignal(new AbortController().signal, 1e12);
    await sleep(20);
    expect(deadline.signal.aborted).toBe(false);
  });

  it("does not warn however many hang on one signal", async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error) => warnings.push(name);
    process.on("warning", hear);
    const { signal } = new AbortController();
    const many = Array.from({ length: 20 }, () => deadlineSignal(signal, 60_000));
    await sleep(20);
    for (const one of many) one[Symbol.dispose]();
    process.off("warning", hear);
    expect(warnings).toEqual([]);
  });

  it("does not fire once it is disposed of", async () => {
    const outer = new AbortController();
    const deadline = deadlineSignal(outer.signal, 20);
    deadline[Symbol.dispose]();
    outer.abort();
    await sleep(60);
    expect(deadline.signal.aborted).toBe(false);
  });
});
