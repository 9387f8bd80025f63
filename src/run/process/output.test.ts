import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { keepOutput, type OutputLimits } from "./output.ts";

const ROOMY: OutputLimits = { lineBytes: 1e6, totalBytes: 1e9 };

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

it("cuts lines that nest deeper than a reader can follow, and says so", () => {
  const deep = `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`;
  const told: string[] = [];
  const heard = follow([Buffer.from(`{"a":[[1]]}\n${deep}\n{"b":2}\n`)], ROOMY, told);
  expect(heard).toEqual(['{"a":[[1]]}', deep.slice(0, 500), '{"b":2}']);
  expect(told).toEqual(["1 output line(s) nested more than 500 deep were cut"]);
});

function follow(pieces: readonly Uint8Array[], limits: OutputLimits, told: string[] = []): string[] {
  const folder = mkdtempSync(join(tmpdir(), "output-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "output");
  const fd = openSync(path, "a+");
  try {
    const lines: string[] = [];
    const output = keepOutput(fd, 0, limits, (line) => void lines.push(line));
    for (const piece of pieces) output.take(Buffer.from(piece));
    output.end();
    told.push(...output.notes);
    const said = Buffer.concat(pieces);
    expect(readFileSync(path)).toEqual(said.subarray(0, limits.totalBytes));
    return lines;
  } finally {
    closeSync(fd);
  }
}
