import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secretMask } from "../../lib/secret-mask.ts";
import { respelled, spelling } from "./spelling.ts";

const HERE = spelling(
  {
    WS: ["/tmp/run-a/ws"],
    HOME: ["/tmp/run-a/home"],
    KEY: ["assay-0123456789abcdef"],
    SKILL: ["greeter-0a1b2c3d"],
  },
  secretMask(["a-very-secret-value"]),
);
const SPACED = spelling({ WS: ["/tmp/run b/ws"] }, secretMask([]));

describe("places on a tape", () => {
  it.each([
    ["cat /tmp/run-a/ws/x.txt", "cat {{@WS}}/x.txt"],
    ["/tmp/run-a/ws", "{{@WS}}"],
    ["'/tmp/run-a/ws'; /tmp/run-a/ws.", "'{{@WS}}'; {{@WS}}."],
    [
      "/tmp/run-a/ws2 /tmp/run-a/ws-old /tmp/run-a/ws.txt",
      "/tmp/run-a/ws2 /tmp/run-a/ws-old /tmp/run-a/ws.txt",
    ],
    ["/private/tmp/run-a/ws", "/private/tmp/run-a/ws"],
    ["file:///tmp/run-a/home/.agent", "file://{{@HOME}}/.agent"],
    ["projects/-tmp-run-a-ws/s.jsonl", "projects/{{@WS:slug}}/s.jsonl"],
    ["KEY=assay-0123456789abcdef", "KEY={{@KEY}}"],
    ["/greeter-0a1b2c3d Ada", "/{{@SKILL}} Ada"],
    ["the literal {{@WS}} and {{@@}}", "the literal {{@@}}WS}} and {{@@}}@}}"],
    ["a-very-secret-value", "[masked]"],
    [`sk-proj-${"a1".repeat(16)}`, "[masked]"],
  ])("%j is kept as %j", (text, kept) => {
    expect(HERE.toTape(text)).toBe(kept);
    expect(HERE.fromTape(kept)).toBe(kept === "[masked]" ? kept : text);
  });

  it.each([
    ['cat "/tmp/run b/ws/x"', 'cat "{{@WS}}/x"'],
    ["cat /tmp/run\\ b/ws/x", "cat {{@WS:sh}}/x"],
    ["file:///tmp/run%20b/ws/x", "file://{{@WS:uri}}/x"],
  ])("with a space in it: %j", (text, kept) => {
    expect(SPACED.toTape(text)).toBe(kept);
    expect(SPACED.fromTape(kept)).toBe(text);
  });

  it("are found in arguments behind their escapes, and the rest of the arguments is left alone", () => {
    const value = {
      partial_json: JSON.stringify({ command: "cd x\n/tmp/run-a/ws/run" }),
      text: '{ "a": 1.0 }',
    };
    expect(respelled(value, HERE.toTape)).toEqual({
      partial_json: JSON.stringify({ command: "cd x\n{{@WS}}/run" }),
      text: '{ "a": 1.0 }',
    });
    expect(respelled({ arguments: '{"n":  1.0}' }, HERE.toTape)).toEqual({ arguments: '{"n":  1.0}' });
  });

  it("a name that is not known here stays as it is", () => {
    expect(HERE.fromTape("{{@TMP}}/x")).toBe("{{@TMP}}/x");
  });
});

it("whatever is written to a tape is read back", () => {
  const parts = fc.constantFrom(
    "/tmp/run-a/ws",
    "{{@",
    "@}}",
    "WS}}",
    "/",
    " ",
    "a",
    "-tmp-run-a-ws",
    "{",
    "\n",
    ".",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(parts, fc.string())), (pieces) => {
      const text = pieces.join("");
      expect(HERE.fromTape(HERE.toTape(text))).toBe(text);
    }),
    { numRuns: 500 },
  );
});
