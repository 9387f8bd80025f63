import { describe, expect, it } from "vitest";
import type { JsonObject } from "../domain/json.ts";
import type { TranscriptEvent } from "../domain/transcript.ts";
import { MOST_MESSAGE_CHARS, Recorder } from "./recorder.ts";

const say = (recorder: Recorder, text: string, agent: string | null = null) =>
  recorder.emit({ kind: "message", role: "assistant", text }, { agent });

it("what a client says in numbers beyond all bounds is heard as it will be read again", () => {
  const heard: TranscriptEvent[] = [];
  const recorder = new Recorder((event) => void heard.push(event));
  const input = JSON.parse('{"lines": [1e999, -1e999, -0, 7]}') as JsonObject;
  recorder.emit({ kind: "tool-call", callId: "1", tool: "Read", input });
  expect(heard).toMatchObject([{ input: { lines: [null, null, 0, 7] } }]);
  expect(JSON.parse(JSON.stringify(heard))).toEqual(heard);
});

describe("the answer that a recorder keeps", () => {
  it("is what the main agent said, whole", () => {
    const recorder = new Recorder(() => {});
    say(recorder, "one");
    say(recorder, "of a helper", "helper");
    say(recorder, "two");
    expect(recorder.messages).toBe("one\ntwo");
    expect(recorder.cut).toEqual([]);
  });

  it("ends at a bound, and that is known; the sink still gets everything", () => {
    let heard = 0;
    const recorder = new Recorder((event) => {
      heard += event.kind === "message" ? event.text.length : 0;
    });
    say(recorder, "x".repeat(MOST_MESSAGE_CHARS));
    expect(recorder.cut).toEqual([]);
    say(recorder, "y");
    expect(recorder.messages).toHaveLength(MOST_MESSAGE_CHARS);
    expect(recorder.cut).toMatchObject([{ of: "answer" }]);
    expect(heard).toBe(MOST_MESSAGE_CHARS + 1);
  });
});
