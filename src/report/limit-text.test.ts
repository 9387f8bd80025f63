import { expect, it } from "vitest";
import { limitText } from "./limit-text.ts";

const FREE = { limit: 20, inFlight: 3, waiting: 0, pausedMs: 0, cooling: false, limited: 0 };

it.each([
  [{}, ""],
  [{ anthropic: FREE }, ""],
  [
    { anthropic: { ...FREE, limit: 16, limited: 1 }, openai: FREE },
    "anthropic limits our rate: at most 16 at once",
  ],
  [
    { anthropic: { ...FREE, limit: 10, limited: 4, waiting: 2, pausedMs: 1200 } },
    "anthropic limits our rate: paused for 2 s, 2 waiting, at most 10 at once",
  ],
])("%j reads %j", (limits, expected) => {
  expect(limitText(limits)).toBe(expected);
});
