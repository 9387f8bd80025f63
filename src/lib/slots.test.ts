import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { slots } from "./slots.ts";

it("never lets more than its number run at once, and lets every one run in order", async () => {
  const slot = slots(3);
  let running = 0;
  let most = 0;
  const started: number[] = [];
  const done = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      slot(async () => {
        started.push(index);
        most = Math.max(most, ++running);
        await wait(1);
        running--;
        return index;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(started).toEqual(done);
});

it("gives a slot back when an action fails", async () => {
  const slot = slots(1);
  await expect(slot(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await slot(async () => "next")).toBe("next");
});
