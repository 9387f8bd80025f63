import { expect, it } from "vitest";
import { isOutrun } from "./race.ts";

const scores = (...cases: readonly (readonly number[])[]) =>
  new Map(cases.map((runs, index) => [String(index + 1), runs]));
const three = () => 3;

it.each([
  ["cannot catch up any more", scores([0], [0]), scores([1, 1, 1], [1, 1, 1]), true],
  ["could still catch up", scores([0], [1]), scores([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]), false],
  ["does as well", scores([1], [0.5]), scores([1, 1, 1], [0.5, 0.5, 0.5]), false],
  [
    "is behind in every case",
    scores([0], [0], [0]),
    scores([0.3, 0.4, 0.5], [0.3, 0.4, 0.5], [0.3, 0.4, 0.5]),
    true,
  ],
  ["is behind in one of two", scores([0], [0.5]), scores([0.5, 0.4, 0.6], [0.5, 0.4, 0.6]), false],
  ["was scored nowhere", scores([], []), scores([1, 1, 1], [1, 1, 1]), false],
])("a draft that %s", (_, draft, leader, outrun) => {
  expect(isOutrun(draft, leader, three)).toBe(outrun);
});
