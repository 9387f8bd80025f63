import { describe, expect, it } from "vitest";
import type { Script } from "../fixtures/scripted-judge.ts";
import { GOOD, graded } from "./fixtures/extracted.ts";

describe("bad replies", () => {
  const good = JSON.stringify(GOOD);
  it.each<[string, Script]>([
    ["empty", ""],
    ["cut off", { cut: good.slice(0, 60) }],
    ["truncated JSON", good.slice(0, 60)],
    ["a refusal", { refuses: "I cannot help with that." }],
    ["prose", "There are two venues."],
    ["a list instead of an object", [GOOD]],
    ["a flat list for a section", { Venues: GOOD.Venues.default }],
    ["a missing section", {}],
    ["a missing tier", { Venues: {} }],
    ["entries that are texts", { Venues: { default: ["Happy Hollow"] } }],
    ["NaN", '{"Venues": {"default": [{"name": NaN, "website": "happyhollow.org"}]}}'],
  ])("%s: asked again, then right", async (_, bad) => {
    const { verdicts, judge } = await graded([bad, GOOD]);
    expect(verdicts.map((verdict) => verdict.status)).toEqual(Array.from({ length: 7 }, () => "passed"));
    expect(judge.heard).toHaveLength(2);
  });

  it.each<[string, Script]>([
    ["empty", ""],
    ["flat", { Venues: GOOD.Venues.default }],
    ["a refusal", { refuses: "No." }],
  ])("%s twice: unscored with the reason", async (_, bad) => {
    const { verdicts, grading } = await graded([bad]);
    expect(verdicts.map((verdict) => verdict.status)).toEqual([
      "unscored",
      "unscored",
      "unscored",
      "unscored",
    ]);
    expect(verdicts[0]?.reason).toMatch(/^the model gave no usable extraction: /);
    expect(grading.extraction?.problems).toHaveLength(1);
  });

  it.each<[string, Script]>([
    ["with prose around it", `Here you are:\n\n${good}\n\nAnything else?`],
    ["in a fence", `\`\`\`json\n${good}\n\`\`\``],
    ["with sections nobody asked for", { ...GOOD, Extra: { x: [] } }],
    [
      "with a field left out",
      { Venues: { default: GOOD.Venues.default.map(({ name, website }) => ({ name, website })) } },
    ],
  ])("a good one %s is taken at once", async (_, says) => {
    const { verdicts, judge } = await graded([says]);
    expect(verdicts.every((verdict) => verdict.status === "passed")).toBe(true);
    expect(judge.heard).toHaveLength(1);
  });
});
