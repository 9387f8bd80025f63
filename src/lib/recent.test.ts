import { expect, it } from "vitest";
import { recent } from "./recent.ts";

it("looks again only after a while", () => {
  let nowMs = 5;
  let looks = 0;
  const ask = recent(
    () => ++looks,
    100,
    () => nowMs,
  );
  expect([ask(), ask()]).toEqual([1, 1]);
  nowMs += 100;
  expect(ask()).toBe(1);
  nowMs += 1;
  expect([ask(), ask()]).toEqual([2, 2]);
});
