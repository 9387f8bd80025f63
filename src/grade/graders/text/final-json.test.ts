import { expect, it } from "vitest";
import type { JsonExpectation, TextClaim } from "../../../domain/check.ts";
import type { TranscriptBody } from "../../../domain/transcript.ts";
import { verdictOn } from "../../fixtures/decide.ts";

const say = (text: string): TranscriptBody => ({ kind: "message", role: "assistant", text });
const claim = (path = "", expected: JsonExpectation = { kind: "present" }): TextClaim => ({
  kind: "final_json",
  path,
  expected,
});

it.each<[string, string, TextClaim, string]>([
  ["a fenced block", 'Done.\n```json\n{"a": 1}\n```\nBye.', claim("a"), "passed"],
  ["the last of several", '```json\n{"a": 1}\n```\n```json\n{"b": 1}\n```', claim("a"), "failed"],
  ["a block without a tag", '```\n{"a": 1}\n```', claim("a"), "passed"],
  ["JSON before a block of something else", '```json\n{"a": 1}\n```\n```sh\nls\n```', claim("a"), "passed"],
  ["JSON in prose", 'The answer is {"a": {"b": [1]}} as asked.', claim("a.b[0]"), "passed"],
  ["bare JSON", '{"a": 1}', claim("a", { kind: "equals", value: 1 }), "passed"],
  ["a fenced block before a footnote", '```json\n{"a": 1}\n```\nSee [1].', claim("a"), "passed"],
  ["a number in a JSON block", "```json\n42\n```", claim("", { kind: "equals", value: 42 }), "passed"],
  ["a broken block after a whole one", '```json\n{"a": 1}\n```\n```json\n{"a": \n```', claim("a"), "failed"],
  ["no JSON", "All {done}.", claim(), "failed"],
  ["a value by pattern", '{"v": "2.1"}', claim("v", { kind: "matches", pattern: "^2\\." }), "passed"],
])("sees %s in the final message", async (_what, text, one, status) => {
  const verdict = await verdictOn(one, { events: [say('{"a": "earlier"}'), say(text)] });
  expect(verdict.status).toBe(status);
  expect(verdict.evidence).not.toEqual([]);
});

it("reads the main agent's last message that says something", async () => {
  const verdict = await verdictOn(claim("a"), {
    events: [
      say('{"a": 1}'),
      { ...say('{"b": 1}'), agent: "helper" },
      { kind: "message", role: "user", text: '{"c": 1}' },
      say("  \n"),
    ],
  });
  expect(verdict).toMatchObject({
    status: "passed",
    evidence: [{ kind: "quote", text: "1", source: { kind: "event", index: 0 } }],
  });
});

it("reads the output where there is no transcript, and is unscored with neither", async () => {
  expect(await verdictOn(claim("a"), { output: 'x {"a": 1}' })).toMatchObject({
    status: "passed",
    evidence: [{ source: { kind: "output", line: null } }],
  });
  expect(await verdictOn(claim("a"), { output: null })).toMatchObject({ status: "unscored" });
});
