import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Cassette, changedInputs } from "./cassette.ts";
import { readCassette, writeCassette } from "./cassette-text.ts";
import type { Piece } from "./piece.ts";
import { cassettePath } from "./store.ts";
import { HEADER } from "../../../test/support/tape-kit.ts";

const text = fc.string({ maxLength: 30 });
const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({ kind: fc.constantFrom("hard" as const, "soft" as const), label: text, text }),
  fc.record({
    kind: fc.constant("result" as const),
    label: text,
    text,
    failed: fc.boolean(),
    strict: fc.boolean(),
  }),
);
const exchange = fc.record({
  thread: fc.nat(2),
  turns: fc.nat(5),
  wire: fc.constantFrom("messages" as const, "responses" as const, "chat" as const),
  pieces: fc.uniqueArray(piece, { selector: ({ label }) => label, maxLength: 5 }),
  reply: fc.record({
    kind: fc.constant("whole" as const),
    status: fc.constant(200),
    body: fc.dictionary(text, text),
  }),
});

it("a cassette is read as it was written; only the order of pieces is free", () => {
  fc.assert(
    fc.property(fc.array(exchange, { maxLength: 6 }), (exchanges) => {
      const cassette: Cassette = { header: HEADER, recordedAt: "2026-01-15T10:30:00Z", exchanges };
      const read = readCassette(writeCassette(cassette));
      expect(read === null ? null : sorted(read)).toEqual(JSON.parse(JSON.stringify(sorted(cassette))));
    }),
    { numRuns: 200 },
  );
});

function sorted(cassette: Cassette): Cassette {
  const order = (one: Piece, other: Piece): number => (one.label < other.label ? -1 : 1);
  const exchanges = cassette.exchanges.map((one) => ({ ...one, pieces: one.pieces.toSorted(order) }));
  return { ...cassette, exchanges };
}

it("what many requests say stands in it once", () => {
  const said: Piece = { kind: "hard", label: "message 1", text: "a long prompt ".repeat(100) };
  const reply = { kind: "whole", status: 200, body: {} } as const;
  const exchanges = Array.from({ length: 50 }, (_, turns) => ({
    thread: 0,
    turns,
    wire: "chat" as const,
    pieces: [said],
    reply,
  }));
  expect(writeCassette({ header: HEADER, recordedAt: "", exchanges }).length).toBeLessThan(8000);
});

it.each(["", "{}", "not JSON\n", '{"cassette":2}\n', '{"cassette":1}\n{"thread":0,"pieces":["unknown"]}\n'])(
  "%j is no cassette",
  (content) => {
    expect(readCassette(content)).toBeNull();
  },
);

describe("before a client is started", () => {
  it.each([
    [{ inputs: { ...HEADER.inputs, skill: "s2" } }, "changed since it was recorded: skill"],
    [
      { inputs: { ...HEADER.inputs, prompt: "p2", files: "f2" } },
      "changed since it was recorded: prompt, files",
    ],
    [{ inputs: { ...HEADER.inputs, mcp: "new" } }, "changed since it was recorded: mcp"],
    [{ client: { name: "other", version: null } }, "changed since it was recorded: client"],
    [{ client: { name: "builtin", version: "2" } }, null],
    [{}, null],
  ])("%j", (changes, words) => {
    expect(changedInputs(HEADER, { ...HEADER, ...changes })).toBe(words);
  });
});

it.each([
  [{}, "demo/1.with_skill.builtin.m-1.run-1.jsonl"],
  [{ model: null, repetition: 3 }, "demo/1.with_skill.builtin.default.run-3.jsonl"],
  [{ caseId: "../../etc/passwd" }, "demo/etc-passwd-0f5c9f.with_skill.builtin.m-1.run-1.jsonl"],
  [{ suite: "..", caseId: "Grüße!" }, "70ee4a/Gr-e-19d4bf.with_skill.builtin.m-1.run-1.jsonl"],
])("%j lies under a readable name inside the folder", (changes, path) => {
  expect(cassettePath("/c", { ...HEADER, ...changes }).replaceAll(/-?[0-9a-f]{6}(?=[./])/g, "#")).toBe(
    `/c/${path}`.replaceAll(/-?[0-9a-f]{6}(?=[./])/g, "#"),
  );
});
