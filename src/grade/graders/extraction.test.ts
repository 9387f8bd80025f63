import { describe, expect, it } from "vitest";
import { scriptedJudge } from "../fixtures/scripted-judge.ts";
import { VENUES, OUTPUT, GOOD, graded, section, tier, field } from "./fixtures/extracted.ts";

describe("extraction", () => {
  it("decides every entry of every field and the number of entries from one question", async () => {
    const { lines, judge } = await graded([GOOD]);
    expect(lines).toEqual([
      "entries:Venues/default passed: 2 entries extracted, 2 to 3 wanted",
      'name[0] passed: entry 1: "name" is "Happy Hollow"',
      'name[1] passed: entry 2: "name" is "Deer Hollow Farm"',
      'website[0] passed: entry 1: "website" "happyhollow.org" is in the format domain',
      'website[1] passed: entry 2: "website" "deerhollowfarmfriends.org" is in the format domain',
      'zip[0] passed: entry 1: "zip" "95112" is in the format ^\\d{5}$',
      'zip[1] passed: entry 2: "zip" is not given, but optional',
    ]);
    expect(judge.heard).toHaveLength(1);
    expect(judge.purposes).toEqual(["extraction"]);
  });

  it("asks about all sections of the case at once", async () => {
    const parks = section("Parks", [tier("big", [field("park")], 0, null)]);
    const reply = { ...GOOD, Parks: { big: [] } };
    const { judge, grading } = await graded([reply], { sections: [VENUES, parks] });
    expect(judge.heard).toHaveLength(1);
    expect(grading.extraction?.sections).toEqual(reply);
  });

  it("does not tell the model what is required or wanted", async () => {
    const { judge } = await graded([GOOD]);
    expect(judge.heard.join()).not.toMatch(/required|domain"|min|\\d\{5\}/i);
  });

  it("points at the line of the output that a value stands in", async () => {
    const { verdicts } = await graded([GOOD]);
    const found = verdicts.find((verdict) => verdict.checkId === "website" && verdict.entry === 1);
    expect(found?.evidence).toEqual([
      { kind: "quote", text: "deerhollowfarmfriends.org", source: { kind: "output", line: 3 } },
    ]);
  });

  it("keeps the raw entries and what they cost", async () => {
    const { grading } = await graded([GOOD]);
    expect(grading.extraction).toMatchObject({ model: "scripted-1", sections: GOOD, problems: [] });
    expect(grading.extraction?.usage.inputTokens).toBe(100);
    expect(grading.usage.outputTokens).toBe(10);
    expect(grading.judgeModel).toBe("scripted-1");
  });

  it("tells whether a service or a program was asked", async () => {
    const asked = await graded([GOOD]);
    expect(asked.grading.extraction).toMatchObject({ judge: asked.judge.name, transport: "api" });
    const program = { ...scriptedJudge([GOOD]), transport: "cli" as const };
    const { grading } = await graded([], { judge: program });
    expect(grading.extraction).toMatchObject({ judge: program.name, transport: "cli" });
  });

  it("holds every entry to its fields even when there are too many", async () => {
    const entry = { name: "Happy Hollow", website: "not a host", zip: null };
    const { lines } = await graded([{ Venues: { default: [entry, entry, entry, entry] } }], {
      output: `${OUTPUT} not a host`,
    });
    expect(lines[0]).toBe("entries:Venues/default failed: 4 entries extracted, 2 to 3 wanted");
    expect(lines.filter((line) => line.startsWith("website["))).toHaveLength(4);
    expect(lines.filter((line) => line.startsWith("website[")).every((line) => line.includes("failed"))).toBe(
      true,
    );
  });

  it("has nothing to hold the fields of no entry against, and fails by the number", async () => {
    const { lines } = await graded([{ Venues: { default: [] } }]);
    expect(lines).toEqual(["entries:Venues/default failed: 0 entries extracted, 2 to 3 wanted"]);
  });

  it("finds no entries in an empty output without asking", async () => {
    const { lines, judge } = await graded([GOOD], { output: " \n" });
    expect(lines).toEqual(["entries:Venues/default failed: 0 entries extracted, 2 to 3 wanted"]);
    expect(judge.heard).toEqual([]);
  });

  it("fails everything when the declared output was not written, without asking", async () => {
    const { verdicts, judge } = await graded([GOOD], { output: null });
    expect(verdicts.map((verdict) => verdict.status)).toEqual(["failed", "failed", "failed", "failed"]);
    expect(verdicts[0]?.reason).toBe("the run did not write the output file out.md");
    expect(judge.heard).toEqual([]);
  });

  it("leaves everything unscored without a judge, and says what to do", async () => {
    const { verdicts } = await graded([], { judge: null });
    expect(new Set(verdicts.map((verdict) => verdict.status))).toEqual(new Set(["unscored"]));
    expect(verdicts[0]?.reason).toMatch(/^no judge is configured: set ANTHROPIC_API_KEY,.* --transport cli/);
  });

  it("does not count from a part of an output that is too long", async () => {
    const { verdicts, judge } = await graded([GOOD], { output: "x".repeat(400_001) });
    expect(verdicts.every((verdict) => verdict.status === "unscored")).toBe(true);
    expect(judge.heard).toEqual([]);
  });
});
