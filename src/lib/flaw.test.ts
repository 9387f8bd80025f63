import { expect, it } from "vitest";
import { flawIn, number, object, oneOf, orNone, text, type Demand } from "./flaw.ts";

const WANTED: Demand = {
  name: text,
  sizes: [number],
  about: orNone({ by: oneOf("me", "you") }),
  more: object,
};

it.each([
  [{ name: "a", sizes: [1, 2], about: { by: "me" }, more: {} }, null],
  [{ name: "a", sizes: [], more: { any: 1 } }, null],
  [{ name: "a", sizes: [], about: null, more: {} }, null],
  [{ name: 1, sizes: [], more: {} }, "name"],
  [{ name: "a", sizes: [1, "2"], more: {} }, "sizes.1"],
  [{ name: "a", sizes: {}, more: {} }, "sizes"],
  [{ name: "a", sizes: [Infinity], more: {} }, "sizes.0"],
  [{ name: "a", sizes: [], about: { by: "them" }, more: {} }, "about"],
  [{ name: "a", sizes: [], more: [] }, "more"],
  [null, ""],
  [{ name: "a", sizes: [], about: { by: null }, more: {} }, "about"],
])("names the first place that is not as wanted: %j", (value, flaw) => {
  expect(flawIn(value, WANTED)).toBe(flaw);
});
