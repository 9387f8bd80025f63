import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StepNumbers } from "./step-numbers.ts";
import { StepScan } from "./step-scan.ts";

function scanned(text: string) {
  const scan = new StepScan();
  const bytes = Buffer.from(JSON.stringify(text));
  scan.read(bytes, { from: 0, to: bytes.length });
  return { hash: [scan.one, scan.two], chance: scan.chance };
}

describe("what chance makes of a step", () => {
  it.each([
    ["a UUID", "0b8f7f3e-94a1-4c6a-9d8e-2f1f6f1a0b3c", "11111111-2222-4333-8444-555555555555"],
    ["a digest", "commit 3f2a9b8c7d6e, pushed", "commit 0123456789ab, pushed"],
    ["a date", "on 2026-11-17", "on 2025-01-02"],
    ["a moment", "at 2026-11-17T06:39:47.123Z.", "at 2026-11-17 06:40:01+01:00."],
    ["a time of day", "06:39:47 ok", "23:00:01 ok"],
    ["how long it took", "took 12ms", "took 3.5 seconds"],
    ["seconds", "done in 4.2s", "done in 17s"],
    ["an id of a service", "toolu_01AbCdEfGh said", "toolu_99ZyXwVuTs said"],
    ["a temporary name", "cat /tmp/a1b2/out", "cat /tmp/zz-99/out"],
    ["something after a line end", "x\n2026-11-17\t12ms", "x\n2025-01-02\t9ms"],
  ])("is left out: %s", (_, one, other) => {
    expect(scanned(one).hash).toEqual(scanned(other).hash);
    expect(scanned(one).chance).not.toEqual(scanned(other).chance);
    expect(scanned(one).chance).toHaveLength(scanned(other).chance.length);
  });

  it.each([
    ["numbers", "6 rows", "7 rows"],
    ["versions", "v1.2.3", "v1.2.4"],
    ["words of hex letters", "deadbeef", "cafebabe"],
    ["words with a dash", "content-type", "content-range"],
    ["words with an underscore", "snake_case", "snake_cake"],
    ["paths", "/tmp2/a", "/tmp2/b"],
    ["how often", "a b", "a b b"],
    ["an empty text", "", " "],
  ])("is not the rest: %s", (_, one, other) => {
    expect(scanned(one).hash).not.toEqual(scanned(other).hash);
  });

  it("is an id where one is expected, whatever it looks like", () => {
    const read = (line: string) => {
      const scan = new StepScan();
      scan.read(Buffer.from(line), { from: 0, to: line.length, idAt: line.indexOf(":") + 2 });
      return scan;
    };
    const [one, other, empty] = [read('"id":"1","a":2'), read('"id":"x y","a":2'), read('"id":"","a":2')];
    expect([one.one, one.two]).toEqual([other.one, other.two]);
    expect(one.chance).not.toEqual(other.chance);
    expect(empty.chance).toEqual([]);
  });
});

it("tells texts apart, and finds the same in each place of a buffer", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 60, size: "max" });
  fc.assert(
    fc.property(text, text, fc.nat(9), (one, other, before) => {
      const plain = scanned(one);
      const bytes = Buffer.from(`${" ".repeat(before)}${JSON.stringify(one)}`);
      const scan = new StepScan();
      scan.read(bytes, { from: before, to: bytes.length });
      expect({ hash: [scan.one, scan.two], chance: scan.chance }).toEqual(plain);
      const isSame = JSON.stringify(plain) === JSON.stringify(scanned(other));
      expect(isSame).toBe(one === other);
    }),
  );
});

it("numbers a hundred thousand steps, equal ones alike", () => {
  const numbers = new StepNumbers();
  const of = (at: number) => {
    const { hash } = scanned(`step ${at}`);
    return numbers.of(hash[0] ?? 0, hash[1] ?? 0);
  };
  const steps = Array.from({ length: 100_000 }, (_, at) => at);
  expect(steps.map(of)).toEqual(steps);
  expect(steps.map(of)).toEqual(steps);
});
