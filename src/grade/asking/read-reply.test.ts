import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuMsSince } from "../../../test/support/cpu-time.ts";
import { object, optional, required } from "../../lib/shape/object.ts";
import { anything, bool, list, text } from "../../lib/shape/values.ts";
import { readReply } from "./read-reply.ts";

const verdict = object({ passed: required(bool()), why: optional(anything()) });

describe("a verdict", () => {
  it.each([
    ['{"passed": true}', true],
    ['  \n{"passed": false}\n', false],
    ['```\n{"passed": true}\n```', true],
    ['Thinking {maybe} [not] ["x"] … {"passed": true}', true],
    ['{"passed": true, "why": "```json\\n{\\"passed\\": false}\\n```"}', true],
    ['<answer>{"passed": true}</answer>', true],
    ['It says "quoted { brace" and then {"passed": true}', true],
    ['{"note": 1} {"passed": true}', true],
    ['{ unclosed, and then {"passed": true}', true],
  ])("is found in %s", (reply, passed) => {
    expect(readReply(reply, verdict)).toMatchObject({ ok: true, value: { passed } });
  });

  it.each([
    ["", /empty/],
    ["   ", /empty/],
    ["yes", /not JSON/],
    ['{"passed": true} {"passed": false}', /several different/],
    ['{"why": {"passed": true}}', /no "passed"/],
    ['{"why": {"passed": true}', /cut off/],
    ['{"why": [{"passed": true}, {"passed', /cut off/],
    ['[{"passed": true}, {"passed": tr', /not JSON/],
    ['Sure: {"why": {"passed": true}, "score": NaN}', /not JSON/],
    ['{"passed": true, "passed": false}', /appears twice/],
    ['{"passed": "true"}', /the reply.*must be true or false|passed must be true or false/],
    ['[{"passed": true}]', /the reply must be an object, not a list/],
  ])("is not found in %s", (reply, problem) => {
    const read = readReply(reply, verdict);
    expect(read.ok).toBe(false);
    expect(!read.ok && read.problem).toMatch(problem);
    expect(!read.ok && read.problem).not.toContain("the file");
  });
});

it("names many problems, but not all", () => {
  const reply = JSON.stringify(Array.from({ length: 30 }, () => ({ passed: 1 })));
  const read = readReply(reply, list(verdict));
  expect(!read.ok && read.problem).toMatch(/^\[0\]\.passed must be .*; and 22 more problems$/);
});

it("finds any value between any words without braces", () => {
  const words = fc.string({ maxLength: 40 }).map((said) => said.replaceAll(/[{}[\]]/g, ""));
  const shape = object({ said: required(text({ blank: "allowed" })), more: required(anything()) });
  fc.assert(
    fc.property(
      words,
      words,
      fc.record({ said: fc.string(), more: fc.jsonValue() }),
      (before, after, value) => {
        fc.pre(!JSON.stringify(value).includes("__proto__"));
        const read = readReply(`${before}\n${JSON.stringify(value)}\n${after}`, shape);
        expect(read).toMatchObject({ ok: true, value: { said: value.said } });
      },
    ),
  );
});

it("never finds a verdict in the beginning of a reply that was cut off", () => {
  const whole =
    '{"verdicts": [{"passed": true, "why": "a [b] {c} \\" d"}, {"passed": true, "why": {"passed": true}}]}';
  const beginnings = Array.from(whole, (_, length) => whole.slice(0, length));
  expect(beginnings.filter((beginning) => readReply(beginning, verdict).ok)).toEqual([]);
});

it("does not take long over hopeless text", () => {
  const started = process.cpuUsage();
  expect(readReply("{[".repeat(200_000), verdict).ok).toBe(false);
  expect(cpuMsSince(started)).toBeLessThan(5000);
});
