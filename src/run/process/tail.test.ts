import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { tail, type TailLimits } from "./tail.ts";

const ROOMY: TailLimits = { lineBytes: 1e6, totalBytes: 1e9 };

it("delivers the same lines however the bytes arrive", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.constantFrom("\n", "\n\n", "é\n", "line\n", "\u{1f600}").map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30, size: "max" }), (pieces) => {
      const written = Buffer.concat(pieces);
      const expected = written
        .toString("latin1")
        .split("\n")
        .map((line) => Buffer.from(line, "latin1").toString());
      if (expected.at(-1) === "") expected.pop();
      expect(follow(pieces, ROOMY)).toEqual(expected);
    }),
  );
});

it("delivers a line that spans many reads", () => {
  const long = "x".repeat(700_000);
  expect(
    follow([Buffer.from(`a\n${long}`), Buffer.from(`${long.slice(0, 100)}\nb`)], {
      ...ROOMY,
      lineBytes: 2e6,
    }),
  ).toEqual(["a", long + long.slice(0, 100), "b"]);
});

it("never delivers more than the limits allow", () => {
  const limits = fc.record({
    lineBytes: fc.integer({ min: 1, max: 20 }),
    totalBytes: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-c]{0,30}\n?$/, { size: "max" }), { maxLength: 10 }),
      limits,
      (pieces, limits) => {
        const lines = follow(
          pieces.map((piece) => Buffer.from(piece)),
          limits,
        );
        expect(lines.every((line) => line.length <= limits.lineBytes)).toBe(true);
        expect(lines.join("").length).toBeLessThanOrEqual(limits.totalBytes);
      },
    ),
  );
});

function follow(pieces: readonly Uint8Array[], limits: TailLimits): string[] {
  const folder = mkdtempSync(join(tmpdir(), "tail-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "output");
  const fd = openSync(path, "a+");
  try {
    const lines: string[] = [];
    const followed = tail(fd, 0, limits, (line) => void lines.push(line));
    for (const piece of pieces) {
      appendFileSync(path, piece);
      followed.read();
    }
    followed.end();
    return lines;
  } finally {
    closeSync(fd);
  }
}
