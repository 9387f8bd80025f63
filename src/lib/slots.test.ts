import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { slots } from "./slots.ts";

it("never gives out more than its number, and serves in order", async () => {
  const take = slots(3);
  let running = 0;
  let most = 0;
  const started: number[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      using _slot = await take();
      started.push(index);
      most = Math.max(most, ++running);
      await wait(1);
      running--;
    }),
  );
  expect(most).toBe(3);
  expect(started).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

it("counts a slot once, however often it is given back", async () => {
  const take = slots(1);
  const first = await take();
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  using _second = await take();
  const third = take();
  expect(await Promise.race([third, wait(20, "waits")])).toBe("waits");
});

it("lets those who wait in when there are more, and nobody while there are none", async () => {
  let count = 0;
  let changed = (): void => {};
  const take = slots({ count: () => count, onChange: (listener) => void (changed = listener) });
  const first = take();
  const second = take();
  expect(await Promise.race([first, wait(20, "waits")])).toBe("waits");
  count = 1;
  changed();
  (await first)[Symbol.dispose]();
  using _second = await second;
});
