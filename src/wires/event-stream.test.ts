import fc from "fast-check";
import { expect, it } from "vitest";
import { EventStream } from "./event-stream.ts";

it.each([
  ["data: a\n\n", [{ event: null, data: "a" }]],
  ["event: ping\ndata: {}\n\n", [{ event: "ping", data: "{}" }]],
  ["data: a\ndata: b\n\n", [{ event: null, data: "a\nb" }]],
  [
    "data:tight\r\n\r\ndata: next\r\n\r\n",
    [
      { event: null, data: "tight" },
      { event: null, data: "next" },
    ],
  ],
  [": comment\n\nid: 3\ndata: x\n\n", [{ event: null, data: "x" }]],
  ["event: nothing\n\n", []],
  // A character that ends a line for regular expressions and nowhere else.
  ["data: a\u2028b\n\n", [{ event: null, data: "a\u2028b" }]],
  ["data: never finished", [{ event: null, data: "never finished" }]],
  ["\n\n\n\n", []],
])("%j", (text, events) => {
  const stream = new EventStream();
  expect([...stream.push(text), ...stream.end()]).toEqual(events);
});

it("gives the same events however the text is cut", () => {
  const line = fc.constantFrom("data: a", "data: é\u{1f600}", "event: e", ": c", "data:", "x");
  const text = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\n\n", "\r\n\r\n")), { maxLength: 12 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(60), { maxLength: 6 }), (lines, cuts) => {
      const whole = lines.flat().join("");
      const once = new EventStream();
      const expected = [...once.push(whole), ...once.end()];
      const stream = new EventStream();
      const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
      const given = places.flatMap((place, index) =>
        index === 0 ? [] : stream.push(whole.slice(places[index - 1], place)),
      );
      expect([...given, ...stream.end()]).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
