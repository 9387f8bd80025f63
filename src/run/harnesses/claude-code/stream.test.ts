import { describe, expect, it } from "vitest";
import type { TranscriptEvent } from "../../../domain/transcript.ts";
import type { Supervised } from "../../process/command.ts";
import { Recorder } from "../../recorder.ts";
import { cutAnywhere } from "../../fixtures/cut-stream.ts";
import { type ClaudeStreamOptions, ClaudeStream } from "./stream.ts";

describe("what the client says", () => {
  it("becomes one event for each block, helper agents named", () => {
    const { events, stream } = hear([
      INIT,
      assistant("m1", [{ type: "thinking", thinking: "hm", signature: "x" }]),
      assistant("m1", [{ type: "text", text: "Working." }]),
      assistant("m1", [use("t1", "Agent", { prompt: "p" })]),
      { ...assistant("s1", [{ type: "text", text: "Helping." }]), parent_tool_use_id: "t1" },
      toolResult("t1", [
        { type: "text", text: "helped" },
        { type: "text", text: "twice" },
      ]),
      assistant("m2", [{ type: "text", text: "Done." }]),
      result(),
    ]);
    expect(events).toMatchObject([
      { turn: 2, agent: null, kind: "thinking", text: "hm" },
      { turn: 2, agent: null, kind: "message", role: "assistant", text: "Working." },
      { turn: 2, agent: null, kind: "tool-call", callId: "t1", tool: "Agent", input: { prompt: "p" } },
      { turn: 2, agent: "t1", kind: "message", role: "assistant", text: "Helping." },
      {
        turn: 2,
        agent: null,
        kind: "tool-result",
        callId: "t1",
        tool: "Agent",
        output: "helped\ntwice",
        isError: false,
        denied: false,
      },
      { turn: 2, agent: null, kind: "message", role: "assistant", text: "Done." },
    ]);
    expect(stream.text).toBe("Working.\nDone.\n");
    expect(stream).toMatchObject({ steps: 3, sessionId: "s-1", model: "claude-x", version: "2.1.197" });
  });

  it("is not an answer when the client itself says it", () => {
    const { events, stream } = hear([
      INIT,
      { type: "system", subtype: "api_retry", attempt: 1, error_status: 429, error: "rate_limit" },
      { ...synthetic("API Error: 429"), error: "rate_limit" },
      synthetic("Unknown command: /x"),
    ]);
    expect(events.map((event) => (event.kind === "error" ? event.message : event.kind))).toEqual([
      "the client repeats a request that failed: rate_limit (429)",
      "API Error: 429",
      "Unknown command: /x",
    ]);
    expect(stream).toMatchObject({ steps: 0, text: "" });
  });

  it("is passed over where it is no event: blank and cut lines, lists, unknown types, missing parts", () => {
    const { events, stream } = hear([
      "",
      "Debugger attached.",
      "[1,2]",
      "null",
      '{"type":"assistant","message":{"id":"m1","content":[{"type":"te',
      { type: "assistant" },
      { type: "assistant", message: { content: "no list" } },
      { type: "user", message: { content: "a text" } },
      { type: "stream_event", event: {} },
      { type: "system" },
      {},
    ]);
    expect(events).toEqual([]);
    expect(stream).toMatchObject({ results: [], sessionId: null, skills: null });
  });

  it("names the first init's model and skills and the last one's session", () => {
    const { stream } = hear([INIT, { ...INIT, session_id: "s-2", model: "other", skills: [] }]);
    expect(stream).toMatchObject({ sessionId: "s-2", model: "claude-x", skills: ["pdf"] });
  });
});

describe("a skill", () => {
  const SKILL = use("t1", "Skill", { skill: "pdf", args: "x" });

  it("is taken up when its call succeeds", () => {
    const before = hear([assistant("m1", [SKILL])]);
    expect(activations(before.events)).toEqual([]);
    const after = hear([assistant("m1", [SKILL]), toolResult("t1", "Launching skill: pdf")]);
    expect(activations(after.events)).toEqual(["pdf by tool"]);
    expect(after.events.at(-1)?.kind).toBe("skill-activated");
  });

  it.each([
    [use("t1", "Read", { file_path: "/w/.claude/skills/pdf/SKILL.md" }), ["pdf by read"]],
    [
      use("t1", "Bash", { command: "cat .claude/skills/{a,b}/x; cat s/a/SKILL.md s/b/SKILL.md" }),
      ["a by read", "b by read"],
    ],
    [use("t1", "Write", { file_path: "/w/skills/new/SKILL.md" }), []],
    [use("t1", "Skill", { skill: "/plug:pdf" }), ["plug:pdf by tool"]],
    [use("t1", "Skill", {}), []],
  ])("%#: is taken up by what reads it", (call, expected) => {
    expect(activations(hear([assistant("m1", [call]), toolResult("t1", "ok")]).events)).toEqual(expected);
  });

  it("is not taken up by a call that fails", () => {
    const { events } = hear([
      assistant("m1", [SKILL]),
      toolResult("t1", "<tool_use_error>Unknown skill: pdf</tool_use_error>", true),
    ]);
    expect(activations(events)).toEqual([]);
  });

  it("stops the client at the call where that is asked for, and is told once", () => {
    const lines = [assistant("m1", [SKILL]), toolResult("t1", "Launching skill: pdf")];
    const { events, answers } = hear(lines, { stopOnSkill: "pdf" });
    expect(answers).toEqual(["stop", "stop"]);
    expect(activations(events)).toEqual(["pdf by tool"]);
    expect(hear(lines, { stopOnSkill: "other" }).answers).toEqual([undefined, undefined]);
  });

  it.each([
    [{ ...INIT, skills: ["pdf"], slash_commands: [] }, ["pdf by invocation"]],
    [{ ...INIT, skills: [], slash_commands: ["clear", "pdf"] }, ["pdf by invocation"]],
    [{ ...INIT, skills: ["pdf-tools"], slash_commands: ["clear"] }, []],
  ])("%#: that the prompt calls is taken up when the client knows it", (init, expected) => {
    const { events } = hear([init, init], { invoked: "pdf" });
    expect(activations(events)).toEqual(expected);
  });
});

describe("a refusal", () => {
  const CALL = assistant("m1", [use("t1", "Write", { file_path: "a" })]);
  const asked = "Claude requested permissions to write to /w/a, but you haven't granted it yet.";

  it.each([
    ["by its words", [CALL, toolResult("t1", asked, true)]],
    [
      "by its decision",
      [CALL, { ...toolResult("t1", "no", true), tool_result_meta: [meta("t1", "reject")] }],
    ],
    [
      "by an event of its own",
      [
        CALL,
        { type: "system", subtype: "permission_denied", tool_use_id: "t1" },
        toolResult("t1", "no", true),
      ],
    ],
  ])("is known %s", (_, lines) => {
    expect(hear(lines).events.at(-1)).toMatchObject({ kind: "tool-result", denied: true, isError: true });
  });

  it.each([
    [toolResult("t1", `The file says: ${asked}`, true)],
    [toolResult("t1", asked)],
    [{ ...toolResult("t1", "x", true), tool_result_meta: [meta("t1", "accept"), meta("t2", "reject")] }],
  ])("%#: is not seen in a result that only failed or only reads so", (line) => {
    expect(hear([CALL, line]).events.at(-1)).toMatchObject({ kind: "tool-result", denied: false });
  });

  it("is listed once, however many result events repeat it", () => {
    const denial = { tool_name: "Write", tool_use_id: "t1", tool_input: { file_path: "a" } };
    const other = { tool_name: "Bash", tool_use_id: "t2", tool_input: { command: "x" } };
    const { stream } = hear([
      result({ permission_denials: [denial] }),
      result({ permission_denials: [denial, other] }),
    ]);
    expect(stream.denials).toEqual([
      { tool: "Write", input: { file_path: "a" } },
      { tool: "Bash", input: { command: "x" } },
    ]);
  });
});

describe("what the heuristics look at", () => {
  it("counts helper agents sent to the background, under both names of the tool", () => {
    const { stream } = hear([
      assistant("m1", [
        use("t1", "Task", { run_in_background: true }),
        use("t2", "Agent", { run_in_background: true }),
        use("t3", "Agent", { run_in_background: "true" }),
        use("t4", "Bash", { run_in_background: true }),
      ]),
    ]);
    expect(stream).toMatchObject({ backgroundTasks: 2, asksUser: false });
  });

  it("knows the tool that asks the user", () => {
    expect(hear([assistant("m1", [use("t1", "AskUserQuestion", {})])]).stream.asksUser).toBe(true);
  });
});

describe("the end", () => {
  it("is no completed run where the stream was cut, at whichever byte", () => {
    const lines = [
      INIT,
      assistant("m1", [{ type: "text", text: "Wörking \u{1f600}." }]),
      assistant("m1", [use("t1", "Bash", { command: "ls" })]),
      toolResult("t1", "a\nb"),
      assistant("m2", [{ type: "text", text: "Done." }]),
      result({ result: "Done." }),
    ];
    expect(cutAnywhere(lines, (heard) => hear(heard).stream.outcome(CLEAN).status)).not.toContain(
      "completed",
    );
    expect(hear(lines).stream.outcome(CLEAN).status).toBe("completed");
  });

  it("is judged by the results and by how the program ended", () => {
    const { stream } = hear([result({ is_error: true, api_error_status: 401, result: "no" })]);
    expect(stream.outcome(EXITED)).toEqual({ status: "auth", message: "no", mayPass: false });
    expect(stream.outcome({ ...EXITED, ending: { kind: "timed-out" } }).status).toBe("timed-out");
  });
});

const CLEAN: Supervised = {
  ending: { kind: "exited", code: 0, signal: null },
  durationMs: 5,
  stderrTail: "",
  left: [],
  notes: [],
};

const EXITED: Supervised = {
  ending: { kind: "exited", code: 1, signal: null },
  durationMs: 5,
  stderrTail: "",
  left: [],
  notes: [],
};

const INIT = {
  type: "system",
  subtype: "init",
  session_id: "s-1",
  model: "claude-x",
  claude_code_version: "2.1.197",
  skills: ["pdf"],
  slash_commands: ["clear"],
};

function assistant(id: string, content: readonly unknown[]) {
  return { type: "assistant", message: { id, model: "claude-x", role: "assistant", content } };
}

function synthetic(text: string) {
  return { type: "assistant", message: { id: "x", model: "<synthetic>", content: [{ type: "text", text }] } };
}

function use(id: string, name: string, input: unknown) {
  return { type: "tool_use", id, name, input };
}

function toolResult(id: string, content: unknown, isError?: true) {
  const block = { type: "tool_result", tool_use_id: id, content, ...(isError && { is_error: true }) };
  return { type: "user", message: { role: "user", content: [block] }, parent_tool_use_id: null };
}

function meta(id: string, decision: string) {
  return { id, permission_decision: { decision, source: "config" } };
}

function result(parts: object = {}) {
  return { type: "result", subtype: "success", is_error: false, num_turns: 1, ...parts };
}

function hear(lines: readonly unknown[], options: Partial<ClaudeStreamOptions> = {}) {
  const events: TranscriptEvent[] = [];
  const { emit } = new Recorder((event) => events.push(event));
  const stream = new ClaudeStream({ emit, turn: 2, stopOnSkill: null, invoked: null, ...options });
  const answers = lines.map((line) => stream.hear(typeof line === "string" ? line : JSON.stringify(line)));
  return { events, stream, answers };
}

function activations(events: readonly TranscriptEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.kind === "skill-activated" ? [`${event.skill} by ${event.by}`] : [],
  );
}

it("quotes the last line for people where the client ended without a result", () => {
  const { stream } = hear([]);
  for (const line of ["Starting ...", "  It needs an update. ", "", '{"type":"resu']) stream.hear(line);
  expect(stream.outcome(EXITED)).toMatchObject({
    message: expect.stringMatching(/without a result event: It needs an update\.$/),
  });
});
