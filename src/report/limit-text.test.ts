import { expect, it } from "vitest";
import { limitText } from "./limit-text.ts";

const FREE = { limit: 20, inFlight: 3, waiting: 0, pausedMs: 0, cooling: false, limited: 0 };

it.each([
  [{}, ""],
  [{ anthropic: FREE }, ""],
  [{ anthropic: { ...FREE, limit: 16, limited: 1 }, openai: FREE }, " [anthropic held to 16 at once]"],
  [
    { anthropic: { ...FREE, limit: 10, limited: 4, waiting: 2, pausedMs: 1200 } },
    " [anthropic held to 10 at once, 2 waiting, paused for 2 s]",
  ],
])("%j reads %j", (limits, expected) => {
  expect(limitText(limits)).toBe(expected);
});
