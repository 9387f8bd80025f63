import { describe, expect, it } from "vitest";
import { listenerOf } from "./listener.ts";
import { stoppable } from "./stoppable.ts";

describe("who watches an operation", () => {
  it("hears every event", () => {
    const heard: string[] = [];
    const listen = listenerOf((event: string) => void heard.push(event), { note: () => {} });
    listen("first");
    listen("second");
    expect(heard).toEqual(["first", "second"]);
  });

  it("can stop nothing by throwing: it is noted once and left out", () => {
    const notes: unknown[] = [];
    let calls = 0;
    const broken = () => {
      calls++;
      throw new Error("pipe closed");
    };
    const listen = listenerOf(broken, { note: (note) => void notes.push(note) });
    listen("first");
    listen("second");
    expect(calls).toBe(1);
    expect(notes).toEqual(["the listener failed and is left out: pipe closed"]);
  });

  it("may be nobody", () => {
    expect(() => listenerOf(undefined, { note: () => {} })("first")).not.toThrow();
  });
});

describe("work that can be stopped", () => {
  const failing = async (): Promise<never> => {
    throw new Error("the question was cut off");
  };

  it("answers what it made, also where the signal fired when it was done", async () => {
    const stop = new AbortController();
    const work = async () => {
      stop.abort(new Error("enough"));
      return 42;
    };
    expect(await stoppable(stop.signal, work)).toBe(42);
  });

  it("rejects with the signal's reason rather than with what the stop broke", async () => {
    await expect(stoppable(AbortSignal.abort(new Error("enough")), failing)).rejects.toThrow("enough");
  });

  it("rejects with its own failure where nobody stopped it", async () => {
    await expect(stoppable(new AbortController().signal, failing)).rejects.toThrow("cut off");
  });
});
