import { describe, expect, it } from "vitest";
import { type Outcome, UNKNOWN_USAGE } from "../../../domain/run.ts";
import type { TranscriptEvent } from "../../../domain/transcript.ts";
import type { Ending, Supervised } from "../../process/command.ts";
import { Recorder } from "../../recorder.ts";
import { cutAnywhere } from "../../fixtures/cut-stream.ts";
import { CodexStream, type CodexStreamOptions } from "./stream.ts";

const STARTED = { type: "thread.started", thread_id: "th-1" };
const TURN = { type: "turn.started" };
const COUNTS = {
  input_tokens: 100,
  cached_input_tokens: 60,
  cache_write_input_tokens: 10,
  output_tokens: 9,
  reasoning_output_tokens: 4,
};
const DONE = { type: "turn.completed", usage: COUNTS };

describe("what the client says", () => {
  it("becomes messages, thoughts and tool calls with their results", () => {
    const { events, stream } = hear([
      STARTED,
      TURN,
      completed({ type: "reasoning", text: "hm" }),
      started(shell("item_1", "ls")),
      completed({ ...shell("item_1", "ls"), aggregated_output: "a\n", exit_code: 0, status: "completed" }),
      completed({ id: "item_2", type: "agent_message", text: "Done." }),
      DONE,
    ]);
    expect(events).toMatchObject([
      { kind: "thinking", text: "hm" },
      { kind: "tool-call", callId: "turn_2_item_1", tool: "shell", input: { command: "ls" } },
      {
        kind: "tool-result",
        callId: "turn_2_item_1",
        tool: "shell",
        output: "a\n",
        isError: false,
        denied: false,
      },
      { kind: "message", role: "assistant", text: "Done." },
    ]);
    expect(stream).toMatchObject({ sessionId: "th-1", steps: 2, completed: true, failure: null });
  });

  it.each([
    [
      { ...shell("i", "false"), exit_code: 1, status: "failed" },
      { tool: "shell", isError: true, denied: false },
    ],
    [
      { ...shell("i", "x"), exit_code: 2, status: "completed" },
      { tool: "shell", isError: true, denied: false },
    ],
    [
      { ...shell("i", "rm"), exit_code: null, status: "declined" },
      { tool: "shell", isError: true, denied: true },
    ],
    [
      { id: "i", type: "file_change", changes: [{ path: "a", kind: "add" }], status: "completed" },
      { tool: "apply_patch", output: "completed", isError: false },
    ],
    [
      {
        id: "i",
        type: "mcp_tool_call",
        server: "s",
        tool: "t",
        arguments: { a: 1 },
        result: { ok: true },
        status: "completed",
      },
      { tool: "mcp__s__t", output: '{"ok":true}', isError: false },
    ],
    [
      { id: "i", type: "mcp_tool_call", server: "s", tool: "t", error: { message: "no" }, status: "failed" },
      { tool: "mcp__s__t", output: '{"message":"no"}', isError: true },
    ],
    [
      { id: "i", type: "web_search", query: "q" },
      { tool: "web_search", isError: false },
    ],
  ])("%#: a tool that is told only when it is over is a call and a result", (part, answer) => {
    const { events } = hear([completed(part)]);
    expect(events).toMatchObject([
      { kind: "tool-call", tool: answer.tool },
      { kind: "tool-result", ...answer },
    ]);
  });

  it("is passed over where it is no event", () => {
    const { events } = hear([
      "",
      "WARNING: x",
      '{"type":"item.completed","item":{"type":"agent_',
      "[]",
      { type: "todo" },
      { type: "item.completed" },
      completed({ type: "todo_list" }),
    ]);
    expect(events).toEqual([]);
  });
});

describe("trouble", () => {
  const ANSWER = completed({ type: "agent_message", text: "Let me see." });

  it("that passes is told and forgotten", () => {
    const { events, stream } = hear([
      STARTED,
      completed({ type: "error", message: "Model metadata for `x` not found." }),
      { type: "error", message: "Reconnecting... 1/2 (stream disconnected)" },
      completed({ type: "agent_message", text: "Done." }),
      DONE,
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(["error", "error", "message"]);
    expect(stream.outcome(EXITED)).toEqual({ status: "completed" });
  });

  it.each([
    ["unexpected status 404 Not Found: no such model", false],
    ['{"detail":"The \'gpt-9\' model is not supported when using Codex with a ChatGPT account."}', false],
    ['{"error":{"code":"model_not_found"}}', false],
    ["unexpected status 500 Internal Server Error: connection lost", true],
    ["exceeded retry limit, last status: 429 Too Many Requests", true],
    ["error sending request: connection refused", true],
    ["unexpected status 401 Unauthorized: bad key", false],
    ['{"error":{"message":"The model x does not exist","type":"invalid_request_error"}}', false],
  ])("%s may pass: %s", (message, mayPass) => {
    const { stream } = hear([STARTED, TURN, { type: "turn.failed", error: { message } }]);
    expect(stream.outcome(EXITED)).toMatchObject({ mayPass });
  });

  it.each<[string, Outcome["status"]]>([
    ["unexpected status 401 Unauthorized: bad key, url: http://127.0.0.1:4290/v1/responses", "auth"],
    ["unexpected status 403 Forbidden: no", "auth"],
    ["Missing environment variable: `ASSAY_MODEL_TOKEN`.", "auth"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "rate-limit"],
    ["stream disconnected before completion: Rate limit reached for gpt-5.5", "rate-limit"],
    ["You've hit your usage limit.", "rate-limit"],
    ["unexpected status 404 Not Found: no such model", "api"],
    ["unexpected status 500 Internal Server Error: connection lost", "api"],
    ["We’re currently experiencing high demand, which may cause temporary errors.", "api"],
    ['{"error":{"message":"bad","type":"invalid_request_error"}}', "api"],
    ["stream disconnected before completion: idle timeout waiting for SSE", "network"],
    ["error sending request: connection refused", "network"],
    ["thread panicked", "crashed"],
  ])("%s is %s", (message, status) => {
    const { stream, events } = hear([STARTED, TURN, ANSWER, { type: "turn.failed", error: { message } }]);
    expect(stream.outcome(EXITED)).toMatchObject({ status, message });
    expect(events.at(-1)).toMatchObject({ kind: "error", message });
  });

  it.each<[Ending, Outcome["status"]]>([
    [{ kind: "exited", code: 0, signal: null }, "crashed"],
    [{ kind: "exited", code: null, signal: "SIGKILL" }, "crashed"],
    [{ kind: "timed-out" }, "timed-out"],
    [{ kind: "aborted" }, "interrupted"],
    [{ kind: "stopped" }, "completed"],
  ])("a turn without an end, program %j, is %s", (ending, status) => {
    expect(hear([STARTED, TURN, ANSWER]).stream.outcome({ ...EXITED, ending }).status).toBe(status);
  });

  it.each<[string, object[], Ending, Outcome["status"]]>([
    ["a usage error", [], { kind: "exited", code: 2, signal: null }, "invalid"],
    ["a crash", [STARTED, TURN], { kind: "exited", code: null, signal: "SIGSEGV" }, "invalid"],
    [
      "a failure in words that nobody knows",
      [STARTED, TURN, { type: "turn.failed", error: { message: "thread panicked" } }],
      { kind: "exited", code: 1, signal: null },
      "invalid",
    ],
    [
      "waiting for a network until the deadline",
      [STARTED, TURN, { type: "error", message: "Reconnecting... waiting for network" }],
      { kind: "timed-out" },
      "network",
    ],
  ])("before a model has answered, %s is no verdict", (_, heard, ending, status) => {
    expect(hear(heard, { turn: 1 }).stream.outcome({ ...EXITED, ending }).status).toBe(status);
  });

  it("a model that is only slow has timed out", () => {
    const ending: Ending = { kind: "timed-out" };
    expect(hear([STARTED, TURN], { turn: 1 }).stream.outcome({ ...EXITED, ending }).status).toBe("timed-out");
  });

  it("a failed turn without words still has some", () => {
    const { stream } = hear([ANSWER, { type: "turn.failed" }]);
    expect(stream.outcome(EXITED)).toEqual({
      status: "crashed",
      message: "the turn failed without a message",
    });
  });
});

describe("tokens", () => {
  const OWN = {
    inputTokens: 30,
    outputTokens: 9,
    cacheReadTokens: 60,
    cacheWriteTokens: 10,
    reasoningTokens: 4,
    costUsd: null,
  };

  it("are unknown until the turn is over", () => {
    expect(hear([STARTED, TURN]).stream).toMatchObject({ usage: UNKNOWN_USAGE, threadUsage: null });
  });

  it("are told with the cache in the input, which is counted apart here", () => {
    expect(hear([DONE]).stream.usage).toEqual(OWN);
  });

  it("are those of this call alone after a resume", () => {
    const before = { ...OWN, inputTokens: 20, outputTokens: 4, cacheReadTokens: 50, cacheWriteTokens: 10 };
    const { stream } = hear([DONE], { threadUsage: before });
    expect(stream.usage).toEqual({
      ...OWN,
      inputTokens: 10,
      outputTokens: 5,
      cacheReadTokens: 10,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    });
    expect(stream.threadUsage).toEqual(OWN);
  });

  it("are taken as they are when they cannot be a sum", () => {
    expect(hear([DONE], { threadUsage: { ...OWN, outputTokens: 10 } }).stream.usage).toEqual(OWN);
  });

  it("carry the thread's sum on over a call that told none", () => {
    expect(hear([TURN], { threadUsage: OWN }).stream).toMatchObject({
      usage: UNKNOWN_USAGE,
      threadUsage: OWN,
    });
  });
});

describe("a skill", () => {
  const READ = shell("i1", "/bin/bash -lc \"cat '/w/.agents/skills/pdf/SKILL.md'\"");
  const OVER = completed({ ...READ, aggregated_output: "---", exit_code: 0, status: "completed" });

  it("is taken up when it has been read", () => {
    expect(skills(hear([started(READ)]).events)).toEqual([]);
    expect(skills(hear([started(READ), OVER]).events)).toEqual(["pdf by read"]);
    expect(skills(hear([completed({ ...READ, exit_code: 1, status: "failed" })]).events)).toEqual([]);
  });

  it("stops the client at the call where that is asked for", () => {
    const { answers, events } = hear([STARTED, started(READ), OVER], { stopOnSkill: "pdf" });
    expect(answers).toEqual([undefined, "stop", "stop"]);
    expect(skills(events)).toEqual(["pdf by read"]);
  });

  it("that the prompt names is taken up when the turn begins", () => {
    expect(skills(hear([STARTED, TURN, DONE], { invoked: "pdf" }).events)).toEqual(["pdf by invocation"]);
    expect(skills(hear([STARTED], { invoked: "pdf" }).events)).toEqual([]);
  });
});

it("is no completed run where the stream was cut, at whichever byte", () => {
  const lines = [
    STARTED,
    TURN,
    started(shell("item_1", "ls")),
    completed({ ...shell("item_1", "ls"), aggregated_output: "ä\n", exit_code: 0, status: "completed" }),
    completed({ id: "item_2", type: "agent_message", text: "Done \u{1f600}." }),
    DONE,
  ];
  const clean: Supervised = { ...EXITED, ending: { kind: "exited", code: 0, signal: null } };
  expect(cutAnywhere(lines, (heard) => hear(heard).stream.outcome(clean).status)).not.toContain("completed");
  expect(hear(lines).stream.outcome(clean).status).toBe("completed");
});

const EXITED: Supervised = {
  ending: { kind: "exited", code: 1, signal: null },
  durationMs: 5,
  stderrTail: "",
  left: [],
  notes: [],
};

function shell(id: string, command: string) {
  return {
    id,
    type: "command_execution",
    command,
    aggregated_output: "",
    exit_code: null,
    status: "in_progress",
  };
}

function started(item: object) {
  return { type: "item.started", item };
}

function completed(item: object) {
  return { type: "item.completed", item };
}

function hear(lines: readonly unknown[], options: Partial<CodexStreamOptions> = {}) {
  const events: TranscriptEvent[] = [];
  const { emit } = new Recorder((event) => events.push(event));
  const stream = new CodexStream({
    emit,
    turn: 2,
    stopOnSkill: null,
    invoked: null,
    threadUsage: null,
    ...options,
  });
  const answers = lines.map((line) => stream.hear(typeof line === "string" ? line : JSON.stringify(line)));
  return { events, stream, answers };
}

function skills(events: readonly TranscriptEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.kind === "skill-activated" ? [`${event.skill} by ${event.by}`] : [],
  );
}

it("quotes the last line for people where the turn was not completed", () => {
  const { stream } = hear([], { turn: 1 });
  for (const line of ["Not logged in. Run codex login", "", '{"type":"turn']) stream.hear(line);
  expect(stream.outcome({ ...EXITED, stderrTail: "" })).toMatchObject({
    status: "invalid",
    message: expect.stringMatching(/before its turn was complete: Not logged in\. Run codex login$/),
  });
});
