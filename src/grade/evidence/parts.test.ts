import fc from "fast-check";
import { expect, it } from "vitest";
import type { Exhibit } from "./block.ts";
import { inParts } from "./parts.ts";

const BUDGET = 4000;

it("every piece of the evidence is in a part or said to be unread", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 3 * BUDGET }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(lengths, (all) => {
      const exhibits = all.map((length, index) => exhibit(index, length));
      const { parts, unread } = inParts(exhibits, BUDGET, new Set(["needle"]));
      const texts = [...parts.flat(), ...unread].map(textOf);
      expect(texts.reduce((sum, text) => sum + text.length, 0)).toBe(all.reduce((sum, one) => sum + one, 0));
    }),
    { numRuns: 300 },
  );
});

function exhibit(index: number, length: number): Exhibit {
  const text = (index % 3 === 0 ? "needle " : "").padEnd(length, "x").slice(0, length);
  return {
    label: `event ${index}`,
    title: "assistant",
    source: { kind: "event", index },
    room: index % 2 === 0 ? "turns" : "inputs",
    given: false,
    content: { kind: "text", text, unread: 0 },
  };
}

function textOf({ content }: Exhibit): string {
  return content.kind === "text" ? content.text : "";
}
