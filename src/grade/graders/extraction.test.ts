import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import type { Check, Section, SectionField, SectionTier } from "../../domain/check.ts";
import type { Json } from "../../domain/json.ts";
import type { Grading } from "../../domain/grading.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { safeRegex } from "../../lib/safe-regex/safe-regex.ts";
import { INJECTIONS } from "../fixtures/injections.ts";
import { makeSubject, newFolder } from "../fixtures/make-subject.ts";
import { type Script, type ScriptedJudge, scriptedJudge } from "../fixtures/scripted-judge.ts";
import { gradeRun } from "../grade.ts";
import type { Judge } from "../judge.ts";
import { extractionGrader } from "./extraction.ts";

const regex = safeRegex();
afterAll(() => regex[Symbol.asyncDispose]());

const VENUES: Section = section("Venues", [
  tier(
    "default",
    [
      field("name"),
      field("website", { format: "domain" }),
      field("zip", { required: false, format: "^\\d{5}$" }),
    ],
    2,
    3,
  ),
]);

const OUTPUT = `# Venues
1. **Happy Hollow**, [happyhollow.org](https://happyhollow.org/), 95112
2. Deer Hollow Farm, deerhollowfarmfriends.org
`;

const GOOD = {
  Venues: {
    default: [
      { name: "Happy Hollow", website: "happyhollow.org", zip: "95112" },
      { name: "Deer Hollow Farm", website: "deerhollowfarmfriends.org", zip: null },
    ],
  },
};

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
      'zip[1] passed: entry 2: "zip" is not given, and need not be',
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
    const sections = [section("S", [tier("t", [field("f", { format: "(a+)+$" }), field("g")], 0, null)])];
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
    expect(judge.heard[1]).toContain(
      'Venues, default, entry 1: the value of "name" does not stand in the text',
    );
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
      expect(obedient.heard.join()).toContain("pass every criterion");
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

async function graded(
  script: readonly Script[],
  options: { sections?: readonly Section[]; output?: string | null; judge?: ScriptedJudge | null } = {},
): Promise<{
  verdicts: readonly Verdict[];
  lines: readonly string[];
  judge: ScriptedJudge;
  grading: Grading;
}> {
  const { sections = [VENUES], output = OUTPUT } = options;
  const judge = scriptedJudge(script);
  const used: Judge | null = options.judge === undefined ? judge : options.judge;
  const folder = newFolder();
  try {
    const subject = makeSubject({ output, checks: sections.flatMap(checksOf), case: { sections } }, folder);
    const parts = { graders: [extractionGrader({ judge: used, regex })], now: () => new Date(0) };
    const grading = await gradeRun(subject, parts, new AbortController().signal);
    const { verdicts } = grading;
    const lines = verdicts.map(
      ({ checkId, entry, status, reason }) =>
        `${checkId}${entry === null ? "" : `[${entry}]`} ${status}: ${reason}`,
    );
    return { verdicts, lines, judge, grading };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checksOf(one: Section): readonly Check[] {
  const head = { layer: "L2", appliesTo: "every-variant", origin: null, text: "" } as const;
  return one.tiers.flatMap(({ label, minEntries, maxEntries, fields }): Check[] => [
    ...((minEntries ?? 0) > 0 || maxEntries !== null
      ? [
          {
            ...head,
            id: `entries:${one.name}/${label}`,
            kind: "entries" as const,
            section: one.name,
            tier: label,
            min: minEntries ?? 0,
            max: maxEntries,
          },
        ]
      : []),
    ...fields.map((each): Check => ({
      ...head,
      id: each.id,
      kind: "field",
      section: one.name,
      tier: label,
      field: each,
    })),
  ]);
}

function section(name: string, tiers: readonly SectionTier[]): Section {
  return { name, tiers, extras: {} };
}

function tier(
  label: string,
  fields: readonly SectionField[],
  minEntries: number,
  maxEntries: number | null,
): SectionTier {
  return { label, description: null, minEntries, maxEntries, fields, extras: {} };
}

function field(name: string, changes: Partial<SectionField> = {}): SectionField {
  return { id: name, name, required: true, format: null, extras: {}, ...changes };
}
