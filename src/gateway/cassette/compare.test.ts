import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignedNames, renamed } from "./align.ts";
import { compare } from "./compare.ts";
import {
  CLAUDE,
  claudeBody,
  type ClaudeSetting,
  CODEX,
  codexBody,
  type CodexSetting,
  heard,
  result,
} from "./fixtures/requests.ts";
import { firstDifference } from "./difference.ts";
import { scrubbed } from "../../lib/scrub.ts";

const NOBODY = new Map<string, string>();

function claudeFit(changes: Partial<ClaudeSetting>) {
  const before = heard("messages", claudeBody(CLAUDE), {
    headers: { "x-claude-code-session-id": CLAUDE.session },
  });
  const setting = { ...CLAUDE, ...changes };
  const after = heard("messages", claudeBody(setting), {
    workspace: setting.ws,
    headers: { "x-claude-code-session-id": setting.session },
  });
  return { before, after, ...compare(before.pieces, after.pieces, NOBODY) };
}

describe("a request of Claude Code still fits", () => {
  it.each<[string, Partial<ClaudeSetting>, "exact" | "alias" | "drift"]>([
    ["the same run again", {}, "exact"],
    ["in another session", { session: "00000000-1111-4000-8000-000000000002" }, "exact"],
    ["on another day", { date: "2027-03-04" }, "exact"],
    ["in a git repository", { git: true }, "exact"],
    ["from another version of the client", { version: "2.1.197" }, "exact"],
    ["with the skills listed elsewhere", { listing: "reminder" }, "exact"],
    [
      "in another directory",
      {
        ws: "/var/other/place/ws",
        results: [result("t1", "hello\nworld"), result("t2", "/var/other/place/ws/out.txt")],
      },
      "exact",
    ],
    ["with parallel results in another order", { results: [...CLAUDE.results].toReversed() }, "exact"],
    [
      "with other keys and a cache mark in its results",
      { results: CLAUDE.results.map((one) => ({ cache_control: { type: "ephemeral" }, ...one })) },
      "exact",
    ],
    [
      "with a note of the client between",
      { extra: [{ role: "system", content: "The date has changed. <total_tokens>9 left" }] },
      "exact",
    ],
    [
      "with a reminder in a result",
      {
        results: [
          result("t1", "hello\nworld\n<system-reminder>x changed on disk</system-reminder>"),
          result("t2", "/tmp/run-a/ws/out.txt"),
        ],
      },
      "exact",
    ],
  ])("%s", (_, changes, match) => {
    expect(claudeFit(changes)).toMatchObject({ match, difference: null });
  });

  it("when a sub-agent or a title is asked for beside it: those are other conversations", () => {
    const main = heard("messages", claudeBody(CLAUDE), { headers: { "x-claude-code-session-id": "s" } });
    const sub = heard("messages", claudeBody(CLAUDE), {
      headers: { "x-claude-code-session-id": "s", "x-claude-code-agent-id": "aa35e38d75702804e" },
    });
    expect([main.thread, sub.thread]).toEqual(["s", "aa35e38d75702804e"]);
    expect(main).toMatchObject({ turns: 2, opening: "Greet Ada." });
  });
});

describe("a request of Claude Code no longer fits when", () => {
  it.each<[string, Partial<ClaudeSetting>, string]>([
    [
      "the prompt changes",
      { prompt: "Greet Bob." },
      'message 1 changed (line 1, column 7: recorded "Greet Ada.", now "Greet Bob.")',
    ],
    ["the model changes", { model: "claude-opus-5" }, "the model changed (line 1, column 8"],
    [
      "the skill's description changes",
      { description: "Greets." },
      "the skill greeter in the listing changed",
    ],
    [
      "the skill's body changes",
      { skillBody: "SKILL-BODY-V2: say hello." },
      `the skill's text changed (line 3, column 13: recorded "SKILL-BODY-V1: say hello.", now "SKILL-BODY-V2: say hello.")`,
    ],
    [
      "the instructions change",
      { instructions: "Be rude." },
      "the project's instructions changed (line 3, column 4",
    ],
    [
      "a tool fails that worked",
      { results: [result("t1", "no such file", true), result("t2", "/tmp/run-a/ws/out.txt")] },
      'result 2 of Bash succeeded when recorded, and fails now: "no such file"',
    ],
    [
      "a result is missing",
      { results: [result("t1", "hello\nworld")] },
      "result 3 of Bash was there when recorded, and is missing now",
    ],
    [
      "somebody says more",
      { results: [...CLAUDE.results, { type: "text", text: "And Bob!" }] },
      'message 2 is new: "And Bob!"',
    ],
  ])("%s", (_, changes, difference) => {
    const fit = claudeFit(changes);
    expect(fit.match).toBe("miss");
    expect(fit.difference).toContain(difference);
  });

  it("but a result that merely says something else is a drift, with the place", () => {
    const results = [result("t1", "hello\nthere"), result("t2", "/tmp/run-a/ws/out.txt")];
    expect(claudeFit({ results })).toMatchObject({
      match: "drift",
      difference: 'result 2 of Bash changed (line 2, column 1: recorded "world", now "there")',
    });
  });
});

function codexFit(changes: Partial<CodexSetting>) {
  const setting = { ...CODEX, ...changes };
  const before = heard("responses", codexBody(CODEX), { headers: { "thread-id": CODEX.thread } });
  const after = heard("responses", codexBody(setting), {
    workspace: setting.ws,
    headers: { "thread-id": setting.thread },
  });
  return compare(before.pieces, after.pieces, NOBODY);
}

describe("a request of Codex", () => {
  it.each<[string, Partial<CodexSetting>]>([
    ["in another thread", { thread: "11111111-2222-7ba1-ae4c-2ca1cfbdd927" }],
    ["on another day", { date: "2027-03-04" }],
    ["with other times and chunk ids", { chunk: "Chunk ID: ffffff\nWall time: 12.0000 seconds\n" }],
    [
      "in another directory, whose length changes the token count",
      { ws: "/var/some/other/ws", output: "Original token count: 99\nOutput:\n/var/some/other/ws\n" },
    ],
    [
      "after midnight",
      {
        extra: [
          {
            type: "message",
            role: "user",
            content: [{ type: "input_text", text: "<environment_context>later</environment_context>" }],
          },
        ],
      },
    ],
  ])("still fits %s", (_, changes) => {
    expect(codexFit(changes)).toMatchObject({ match: "exact", difference: null });
  });

  it.each<[string, Partial<CodexSetting>, string]>([
    ["the prompt changes", { prompt: "Greet Bob." }, "message 1 changed (line 1, column 7"],
    [
      "the instructions change",
      { agents: "Be rude." },
      "the project's instructions changed (line 4, column 4",
    ],
    [
      "the skill that it reads changes",
      { skill: "SKILL-BODY-V2: say hello." },
      "result 1 of exec_command changed (line 3, column 13",
    ],
    ["a command fails", { code: 2 }, "result 2 of exec_command succeeded when recorded, and fails now"],
  ])("no longer fits when %s", (_, changes, difference) => {
    const fit = codexFit(changes);
    expect(fit.match).toBe("miss");
    expect(fit.difference).toContain(difference);
  });
});

describe("what chance decides in a result", () => {
  it.each([
    ["a date", "Sun Nov 15 21:40:36 UTC 2026", "Mon Jan  4 01:02:03 JST 2027"],
    [
      "a listing's times",
      "-rw-r--r-- 1 root root 8 Nov 15 21:40 a.txt",
      "-rw-r--r-- 1 root root    8 Jan  1  2025 a.txt",
    ],
    ["a date in a nameless zone", "Sun Nov 15 10:40:36 -11 2026", "Mon Nov 16 11:40:36 +14 2026"],
    ["an ISO time", "at 2026-01-15T10:30:00.123Z it was", "at 2027-03-04T23:59:59Z it was"],
    ["a duration", "real\t0m0.012s", "real\t1m10.5s"],
    ["milliseconds", "done in 196 ms", "done in 7 ms"],
    ["a uuid", "id 596bb1d1-5a78-4876-873f-8e61c5fe9df2", "id 28c09b1e-5a78-4876-873f-8e61c5fe9df2"],
    ["a port", "on http://127.0.0.1:4600/x", "on http://127.0.0.1:39385/x"],
    ["a temporary file", "/tmp/tmp.vbkMjLUvHh", "/tmp/tmp.Agtpxxklyv"],
    ["a commit", "[main 08f6435] Start", "[main 1234567] Start"],
    ["an agent's id", "agentId: aa35e38d75702804e", "agentId: a0b1c2d3e4f5a6b7c"],
    ["a session's id", "Process running with session ID 91330", "Process running with session ID 4711"],
    ["a background task", "in tasks/bkd9bh4om.output", "in tasks/bqqqqqqqq.output"],
  ])("is let pass: %s", (_, before, now) => {
    expect(fitOf(before, now)).toMatchObject({ match: "alias", difference: null });
  });

  it.each([
    ["a total", "Total: 1500", "Total: 1700"],
    ["a word", "the cat sat", "the dog sat"],
    ["a version", "node v20.19.43", "node v20.19.44"],
    ["a name with a number", "chapter12", "chapter13"],
    ["a length", "one two", "one two three"],
    ["one name for two", "tmp.aaaaaaaaaa tmp.aaaaaaaaaa", "tmp.bbbbbbbbbb tmp.cccccccccc"],
    ["two names for one", "tmp.aaaaaaaaaa tmp.bbbbbbbbbb", "tmp.cccccccccc tmp.cccccccccc"],
  ])("is something else than %s", (_, before, now) => {
    expect(fitOf(before, now).match).toBe("drift");
  });

  it("is learned, and used in what comes later", () => {
    const { names } = fitOf("made /tmp/tmp.vbkMjLUvHh", "made /tmp/tmp.Agtpxxklyv");
    expect(renamed("rm /tmp/tmp.vbkMjLUvHh; echo tmp.vbkMjLUvHhX", names)).toBe(
      "rm /tmp/tmp.Agtpxxklyv; echo tmp.vbkMjLUvHhX",
    );
  });

  function fitOf(before: string, now: string) {
    const piece = (text: string) =>
      ({ kind: "result", label: "r", text, failed: false, strict: false }) as const;
    return compare([piece(before)], [piece(now)], NOBODY);
  }
});

it("nothing fits itself less than exactly, and scrubbing twice changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200, size: "max" }), (text) => {
      expect(scrubbed(scrubbed(text))).toBe(scrubbed(text));
      expect(alignedNames(text, text)?.size).toBe(0);
      const piece = { kind: "result", label: "r", text, failed: false, strict: true } as const;
      expect(compare([piece], [piece], NOBODY).match).toBe("exact");
    }),
  );
});

it("the first difference is where the texts part", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (shared, one, other) => {
      fc.pre(one[0] !== other[0]);
      const lines = shared.split("\n");
      const place = `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}: `;
      expect(firstDifference(shared + one, shared + other)).toContain(place);
    }),
  );
});
