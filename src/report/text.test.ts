import { expect, it } from "vitest";
import { type Replay, UNKNOWN_USAGE, type Usage } from "../domain/run.ts";
import type { Evidence } from "../domain/verdict.ts";
import { evidenceText, money, rateText, replayText, secondsText, signedSeconds, usageText } from "./text.ts";

const REPLAY: Replay = {
  match: "exact",
  drifts: 0,
  difference: null,
  recordedAt: "2026-01-15T10:30:00.000Z",
  recordedVersion: "2.1.197",
};

it.each<[Partial<Replay>, string]>([
  [{}, "exact, recorded 2026-01-15T10:30:00.000Z with version 2.1.197"],
  [
    { match: "drift", drifts: 1, difference: "request 3: result 2 of Bash changed", recordedVersion: null },
    "drift (1 tool result differs), recorded 2026-01-15T10:30:00.000Z; request 3: result 2 of Bash changed",
  ],
  [
    { match: "miss", difference: "nothing was recorded for it", recordedAt: null, recordedVersion: null },
    "miss; nothing was recorded for it",
  ],
])("a replay reads %j", (changes, text) => {
  expect(replayText({ ...REPLAY, ...changes })).toBe(text);
});

it.each([
  [null, "unknown"],
  [0, "0.0 s"],
  [59_940, "59.9 s"],
  [59_960, "1 min 0 s"],
  [119_600, "2 min 0 s"],
  [3_599_400, "59 min 59 s"],
])("%s ms read %s", (ms, text) => {
  expect(secondsText(ms)).toBe(text);
});

it.each<[Evidence, string]>([
  [{ kind: "quote", text: "hi", source: { kind: "output", line: 12 } }, '"hi" in output.txt:12'],
  [{ kind: "quote", text: "hi", source: { kind: "output", line: null } }, '"hi" in output.txt'],
  [{ kind: "quote", text: "hi", source: { kind: "file", path: "a.md", line: 3 } }, '"hi" in a.md:3'],
  [{ kind: "quote", text: "hi", source: { kind: "event", index: 4 } }, '"hi" in event 4'],
  [
    {
      kind: "absence",
      searched: [
        { kind: "output", line: null },
        { kind: "file", path: "a.md", line: null },
      ],
    },
    "not found in output.txt, a.md",
  ],
])("evidence reads %j", (evidence, text) => {
  expect(evidenceText(evidence)).toBe(text);
});

it.each([
  [-0.0001, "+0.0 s"],
  [-0.04, "-40 ms"],
  [-0.06, "-0.1 s"],
  [2.34, "+2.3 s"],
])("a difference of %d s reads %s", (seconds, text) => {
  expect(signedSeconds(seconds)).toBe(text);
});

it.each<[Partial<Usage>, string]>([
  [{}, "tokens and cost unknown"],
  [{ costUsd: 0.5 }, "$0.50"],
  [{ inputTokens: 1200, outputTokens: 34, costUsd: 0.5 }, "1,200 tokens in, 34 out, $0.50"],
  [{ inputTokens: 1200, outputTokens: 34 }, "1,200 tokens in, 34 out, cost unknown"],
  [{ inputTokens: 1200 }, "1,200 tokens in, unknown out, cost unknown"],
  [{ outputTokens: 34 }, "unknown tokens in, 34 out, cost unknown"],
  [{ outputTokens: 34, cacheReadTokens: 5 }, "unknown tokens in, 34 out, cost unknown"],
  [
    { inputTokens: 10, cacheReadTokens: 200, cacheWriteTokens: 3000, outputTokens: 0, costUsd: 0 },
    "3,210 tokens in, 0 out, $0.00",
  ],
])("usage %j reads %s: what is unknown is never a zero", (known, text) => {
  expect(usageText({ ...UNKNOWN_USAGE, ...known })).toBe(text);
});

it.each([
  [0.05, "$0.0500"],
  [0.1, "$0.10"],
  [12.345, "$12.35"],
])("%d dollars read %s", (usd, text) => {
  expect(money(usd)).toBe(text);
});

it("says of one run what passed, without an interval", () => {
  const rate = { passed: 2, total: 3, rate: 2 / 3, low: null, high: null };
  expect(rateText(rate)).toBe("2 of 3 (67 %, no interval)");
  expect(rateText({ ...rate, passed: 0, total: 0, rate: null })).toBe("none");
});
