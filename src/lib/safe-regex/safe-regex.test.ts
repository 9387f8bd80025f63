import { afterAll, describe, expect, it } from "vitest";
import { isLinear } from "./linear.ts";
import { safeRegex } from "./safe-regex.ts";

const regex = safeRegex();
afterAll(() => regex[Symbol.asyncDispose]());

describe("safeRegex", () => {
  it("counts throughout with the g flag, and once for each text without", async () => {
    const texts = ["a1 b22", "none", "c3"];
    expect(await regex.search(/[a-z]\d+/gu, texts)).toEqual({
      status: "searched",
      count: 3,
      matches: [
        { text: 0, index: 0, value: "a1" },
        { text: 0, index: 3, value: "b22" },
        { text: 2, index: 0, value: "c3" },
      ],
    });
    expect(await regex.search(/[a-z]\d+/u, texts)).toMatchObject({
      count: 2,
      matches: [
        { text: 0, index: 0 },
        { text: 2, index: 0 },
      ],
    });
  });

  it("keeps only the first matches and only their beginnings", async () => {
    const searched = await regex.search(/x+/gu, ["x".repeat(1000), "x x x x x x x"], { most: 2 });
    expect(searched).toMatchObject({ count: 8, matches: [{ text: 0 }, { text: 1, index: 0 }] });
    expect(searched.status === "searched" && searched.matches[0]?.value.length).toBe(400);
  });

  it("gives the same answer in its thread and beside it", async () => {
    const texts = ["été 12", "x\u{1F600}y"];
    for (const pattern of [/\p{Nd}/gu, /\u{1F600}/u, /e|é/gu]) {
      const inThread = await regex.search(pattern, texts);
      expect(await regex.search(pattern, texts, { linear: true })).toEqual(inThread);
    }
  });

  it("ends what takes too long, says so, and serves whoever waited", async () => {
    const evil = `${"a".repeat(60)}!`;
    const started = performance.now();
    const [slow, quick, other] = await Promise.all([
      regex.search(/^(a+)+$/u, [evil], { deadlineMs: 200 }),
      regex.search(/a+!/u, [evil]),
      regex.search(/(?=b)b/u, ["b"]),
    ]);
    expect(slow).toEqual({
      status: "stopped",
      reason: "the pattern took longer than 0.2 s and was stopped",
    });
    expect(quick).toMatchObject({ status: "searched", count: 1 });
    expect(other).toMatchObject({ status: "searched", count: 1 });
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it("tells the texts of one search from those of the next", async () => {
    const texts = ["aa"];
    expect(await regex.search(/(?:a)/gu, texts)).toMatchObject({ count: 2 });
    expect(await regex.search(/(?:a)/gu, texts)).toMatchObject({ count: 2 });
    expect(await regex.search(/(?:a)/gu, ["a"])).toMatchObject({ count: 1 });
  });

  it("does not start over where an earlier use of the expression stopped", async () => {
    const used = /(?:a)/gu;
    used.lastIndex = 2;
    expect(await regex.search(used, ["aaa"])).toMatchObject({ count: 3 });
  });

  it("can be used again after it was closed", async () => {
    const own = safeRegex();
    await own.search(/(?:a)/u, ["a"]);
    await own[Symbol.asyncDispose]();
    expect(await own.search(/(?:a)/u, ["a"])).toMatchObject({ count: 1 });
    await own[Symbol.asyncDispose]();
  });
});

it.each<[RegExp, boolean]>([
  [/abc/u, true],
  [/^a.c$/u, true],
  [/[a-z*+?(){}|]x/u, true],
  [new RegExp("[[a]&&[b]]c", "v"), true],
  [/\p{Nd}\u{1F600}\*\(\+/u, true],
  [/[\]*]/u, true],
  [/a*/u, false],
  [/a+b/u, false],
  [/a?/u, false],
  [/a{2}/u, false],
  [/a|b/u, false],
  [/(a)/u, false],
  [/(?:a)/u, false],
  [/(a)\1/u, false],
  [/(?<n>a)\k<n>/u, false],
  [/\p{Nd}+/u, false],
])("%s takes linear time for sure: %s", (pattern, linear) => {
  expect(isLinear(pattern)).toBe(linear);
});
