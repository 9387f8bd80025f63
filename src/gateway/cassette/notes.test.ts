import { expect, it } from "vitest";
import { withoutNotes } from "./notes.ts";

it.each([
  ["plain", "plain"],
  ["a<system-reminder>x\ny</system-reminder>b", "ab"],
  ["<system-reminder>1</system-reminder> and <system-reminder>2</system-reminder>", " and "],
  ["<environment_context><cwd>/x</cwd></environment_context>hi", "hi"],
  ["<system-reminder><task-notification></system-reminder>b</task-notification>", "b</task-notification>"],
  ["open <system-reminder> only", "open <system-reminder> only"],
  ["</system-reminder> closed", "</system-reminder> closed"],
  ["out\n<total_tokens>12 left\nmore", "out\n\nmore"],
  ["<user>kept</user>", "<user>kept</user>"],
])("%j reads %j", (text, left) => {
  expect(withoutNotes(text)).toBe(left);
});

it("is not held up by a tool that opens and never closes", () => {
  const hostile = "<system-reminder><task-notification>".repeat(100_000);
  const startedMs = performance.now();
  expect(withoutNotes(hostile)).toBe(hostile);
  expect(performance.now() - startedMs).toBeLessThan(5000);
});
