import { expect, it } from "vitest";
import type { Replay } from "../domain/run.ts";
import type { Evidence } from "../domain/verdict.ts";
import { evidenceText, replayText, secondsText, signedSeconds } from "./text.ts";

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
  [0, "0.0 s"],
  [59_940, "59.9 s"],
  [59_960, "1 min 0 s"],
  [119_600, "2 min 0 s"],
  [3_599_400, "59 min 59 s"],
])("%d ms read %s", (ms, text) => {
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
  [-0.04, "+0.0 s"],
  [-0.06, "-0.1 s"],
  [2.34, "+2.3 s"],
])("a difference of %d s reads %s", (seconds, text) => {
  expect(signedSeconds(seconds)).toBe(text);
});
