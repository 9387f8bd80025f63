import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { mapConcurrently } from "./concurrent.ts";

it("keeps the order and never exceeds the limit", async () => {
  let running = 0;
  let most = 0;
  const doubled = await mapConcurrently([5, 4, 3, 2, 1, 0], 3, async (value) => {
    running++;
    most = Math.max(most, running);
    for (let i = 0; i < value; i++) await setImmediate();
    running--;
    return value * 2;
  });
  expect(doubled).toEqual([10, 8, 6, 4, 2, 0]);
  expect(most).toBe(3);
});

it("takes an empty list", async () => {
  expect(await mapConcurrently([], 4, () => Promise.reject(new Error("never")))).toEqual([]);
});

it("rejects as soon as a call does", async () => {
  await expect(mapConcurrently([1, 2], 1, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
