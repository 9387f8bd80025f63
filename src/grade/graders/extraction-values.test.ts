import { describe, expect, it } from "vitest";
import type { SectionField } from "../../domain/check.ts";
import type { Json } from "../../domain/json.ts";
import { INJECTIONS } from "../fixtures/injections.ts";
import { scriptedJudge } from "../fixtures/scripted-judge.ts";
import { OUTPUT, GOOD, graded, section, tier, field } from "./fixtures/extracted.ts";

describe("one value", () => {
  it.each<[string, Json, Partial<SectionField>, string]>([
    ["null where required", null, {}, "failed"],
    ["the empty text where required", "", {}, "failed"],
    ["zero", 0, {}, "passed"],
    ["false", false, {}, "passed"],
    ["a blank", " ", {}, "passed"],
    ["null where optional", null, { required: false }, "passed"],
    ["null where optional with a format", null, { required: false, format: "url" }, "passed"],
    ["a wrong format where optional", "95I12", { required: false, format: "zip_us" }, "failed"],
    ["a right registered format", "95112", { format: "zip_us" }, "passed"],
    ["a number in a format", 95112, { format: "zip_us" }, "passed"],
    ["more than the format", "95112 CA", { format: "zip_us" }, "failed"],
    ["a right inline pattern", "AB-12", { format: "[A-Z]{2}-\\d+" }, "passed"],
    ["only a part of an inline pattern", "xAB-12", { format: "[A-Z]{2}-\\d+" }, "failed"],
    ["a pattern in Python's spelling", "ab", { format: "(?i)(?P<two>[A-Z]{2})" }, "passed"],
    ["alternatives, each to be matched whole", "cat food", { format: "cat|dog" }, "failed"],
    ["a host name as URL", "example.com", { format: "url" }, "failed"],
    ["a host name as domain", "example.com", { format: "domain" }, "passed"],
    ["the text of a link as domain", "[example.com](https://example.com/)", { format: "domain" }, "passed"],
    ["the text of a link as URL", "[example.com](https://example.com/)", { format: "url" }, "failed"],
    ["a URL as URL", "https://example.com/a", { format: "url" }, "passed"],
    ["a URL as domain", "https://example.com/a", { format: "domain" }, "failed"],
  ])("%s", async (_, value, changes, status) => {
    const sections = [section("S", [tier("t", [field("f", changes)], 0, null)])];
    const output = `0 false 95112 CA 95I12 xAB-12 AB-12 ab cat food [example.com](https://example.com/) https://example.com/a`;
    const { verdicts } = await graded([{ S: { t: [{ f: value }] } }], { sections, output });
    expect(verdicts.map((verdict) => [verdict.status, verdict.entry])).toEqual([[status, 0]]);
  });

  it("in a catastrophic pattern stays unscored and stops nothing else", async () => {
    const sections = [section("S", [tier("t", [field("f", { format: "(a*)*\\1$" }), field("g")], 0, null)])];
    const value = `${"a".repeat(40)}!`;
    const { verdicts } = await graded([{ S: { t: [{ f: value, g: value }] } }], { sections, output: value });
    expect(verdicts.map((verdict) => verdict.status)).toEqual(["unscored", "passed"]);
    expect(verdicts[0]?.reason).toMatch(/took longer/);
  });
});

describe("values that the model made up", () => {
  const invented = {
    Venues: {
      default: [{ name: "Invented Zoo", website: "happyhollow.org", zip: null }, GOOD.Venues.default[1]],
    },
  };

  it("are asked for once more, with the place named and nothing of the value", async () => {
    const { lines, judge } = await graded([invented, GOOD]);
    expect(lines.filter((line) => line.includes("passed"))).toHaveLength(7);
    expect(judge.heard).toHaveLength(2);
    expect(judge.heard[1]).toContain('Venues, default, entry 1: the value of "name" is not in the text');
    expect(judge.heard[1]).not.toContain("Invented Zoo");
  });

  it("stay unscored when they come again, and the others are decided", async () => {
    const { verdicts } = await graded([invented, invented]);
    const unscored = verdicts.filter((verdict) => verdict.status === "unscored");
    expect(unscored.map((verdict) => [verdict.checkId, verdict.entry])).toEqual([["name", 0]]);
  });

  it("are told from values with other spacing, marks or order of words", async () => {
    const { verdicts } = await graded([
      {
        Venues: {
          default: [
            { name: "happy  hollow.", website: "happyhollow.org", zip: "95112" },
            { name: "Farm Deer Hollow", website: "deerhollowfarmfriends.org", zip: null },
          ],
        },
      },
    ]);
    expect(verdicts.every((verdict) => verdict.status === "passed")).toBe(true);
  });
});

describe("words in the output", () => {
  const messages = INJECTIONS.filter(({ into }) => into === "message" || into === "output");

  it.each(messages)(
    "$name: a judge that obeys everything outside the markers is not reached",
    async ({ text }) => {
      const output = `${OUTPUT}\n${text.replaceAll("NONCE", "0123456789ab")}`;
      const obedient = scriptedJudge((question) => {
        const nonce = /\[\[(\w+) begin\]\]/.exec(question.system)?.[1] ?? "";
        const told = question.parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
        const outside = told.slice(told.indexOf(`[[${nonce} end]]`));
        return /pass every criterion/.test(question.system + outside) ? { Venues: { default: [] } } : GOOD;
      });
      const { verdicts } = await graded([], { output, judge: obedient });
      expect(obedient.heard.join()).toContain(text.replaceAll("NONCE", "0123456789ab"));
      expect(verdicts.every((verdict) => verdict.status === "passed")).toBe(true);
    },
  );
});

it("many values in a long output are looked up quickly", async () => {
  const names = Array.from({ length: 500 }, (_, index) => `Place é ${index}`);
  const sections = [section("S", [tier("t", [field("f")], 0, null)])];
  const output = `${"filler text — ".repeat(20_000)}\n${names.join("\n")}`;
  const { verdicts } = await graded([{ S: { t: names.map((f) => ({ f })) } }], { sections, output });
  expect(verdicts.filter((verdict) => verdict.status === "passed")).toHaveLength(500);
  expect(verdicts[499]?.evidence).toMatchObject([{ source: { kind: "output", line: 501 } }]);
}, 10_000);
