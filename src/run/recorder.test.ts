import { describe, expect, it } from "vitest";
import { MOST_MESSAGE_CHARS, Recorder } from "./recorder.ts";

const say = (recorder: Recorder, text: string, agent: string | null = null) =>
  recorder.emit({ kind: "message", role: "assistant", text }, { agent });

describe("the answer that a recorder keeps", () => {
  it("is what the main agent said, without a note", () => {
    const recorder = new Recorder(() => {});
    say(recorder, "one");
    say(recorder, "of a helper", "helper");
    say(recorder, "two");
    expect(recorder.messages).toBe("one\ntwo");
    expect(recorder.notes).toEqual([]);
  });

  it("ends at a bound, and a note says so; the sink still gets everything", () => {
    let heard = 0;
    const recorder = new Recorder((event) => {
      heard += event.kind === "message" ? event.text.length : 0;
    });
    say(recorder, "x".repeat(MOST_MESSAGE_CHARS));
    expect(recorder.notes).toEqual([]);
    say(recorder, "y");
    expect(recorder.messages).toHaveLength(MOST_MESSAGE_CHARS);
    expect(recorder.notes).toEqual([expect.stringContaining("checks read only its beginning")]);
    expect(heard).toBe(MOST_MESSAGE_CHARS + 1);
  });
});
