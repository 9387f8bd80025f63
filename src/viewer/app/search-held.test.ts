import { expect, it } from "vitest";
import type { TimelinePage } from "../../domain/run-pages.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import { ask } from "../api.ts";
import { said } from "../../../test/support/said.ts";
import { searchHeld } from "./search-held.ts";

const AT = { skill: "greeter", n: 1 };

const pageOf = (page: number, events: readonly TranscriptEvent[], cut = 0): TimelinePage => ({
  page,
  events: events.map((event) => ({ event, cut, cited: [] })),
});

const ANSWERS = {
  [ask.overview()]: { results: "Quick" },
  [ask.timeline({ ...AT, trial: "1/with_skill/run-1" }, 0)]: pageOf(0, [
    said(0, "The Quick fox"),
    said(1, "no"),
  ]),
  [ask.timeline({ ...AT, trial: "1/with_skill/run-1" }, 1)]: pageOf(1, [said(2, "quick again")]),
  [ask.timeline({ ...AT, trial: "2 & 3/with_skill/run-1" }, 0)]: pageOf(0, [said(0, "cut")], 7),
  [ask.event({ ...AT, trial: "2 & 3/with_skill/run-1" }, 0)]: said(0, "cut but QUICK"),
  [ask.timeline({ skill: "other", n: 1, trial: "1/with_skill/run-1" }, 0)]: pageOf(0, [said(0, "quick")]),
};

it("finds a text in all timelines of an iteration, also behind where they are cut", () => {
  const found = searchHeld(ANSWERS, ask.search({ ...AT, trial: null }, "quick"));
  expect(found).toMatchObject({ query: "quick", count: 3, runs: 2, done: true, next: null });
  expect(found.hits.map(({ trial, event }) => [trial, event])).toEqual([
    ["1/with_skill/run-1", 0],
    ["1/with_skill/run-1", 2],
    ["2 & 3/with_skill/run-1", 0],
  ]);
  for (const { excerpt, start, length } of found.hits)
    expect(excerpt.slice(start, start + length).toLowerCase()).toBe("quick");
});

it("finds it in one run alone where that is asked for, and nothing for nothing", () => {
  expect(searchHeld(ANSWERS, ask.search({ ...AT, trial: "2 & 3/with_skill/run-1" }, "quick")).count).toBe(1);
  expect(searchHeld(ANSWERS, ask.search({ ...AT, trial: null }, "")).count).toBe(0);
  expect(searchHeld(ANSWERS, ask.search({ ...AT, n: 2, trial: null }, "quick")).count).toBe(0);
});
