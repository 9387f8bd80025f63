import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../domain/run.ts";
import type { Ending, Supervised } from "../../process/command.ts";
import { claudeOutcome, type ClaudeSaid, interactiveStop, type LastWords } from "./outcome.ts";

const DONE = { type: "result", subtype: "success", is_error: false, num_turns: 1, result: "fine" };
const FAILED = { ...DONE, is_error: true, api_error_status: null };

/** What was heard after a model had answered. */
const after = (results: ClaudeSaid["results"]): ClaudeSaid => ({ results, begun: true, plain: "" });

describe("how a call ended", () => {
  it.each<[string, object[], Outcome["status"]]>([
    ["a result", [DONE], "completed"],
    ["a result that does not say whether it is an error", [{ ...DONE, is_error: undefined }], "crashed"],
    ["an API error that calls itself success", [{ ...FAILED, api_error_status: 500 }], "api"],
    ["a 401", [{ ...FAILED, api_error_status: 401, result: "Failed to authenticate" }], "auth"],
    ["a 403", [{ ...FAILED, api_error_status: 403 }], "auth"],
    ["a 429", [{ ...FAILED, api_error_status: 429 }], "rate-limit"],
    ["a 400 that mentions a key", [{ ...FAILED, api_error_status: 400, result: "API key scope" }], "api"],
    ["a 529", [{ ...FAILED, api_error_status: 529, result: "Overloaded" }], "api"],
    ["no login", [{ ...FAILED, result: "Not logged in · Please run /login" }], "auth"],
    ["no credit", [{ ...FAILED, result: "Credit balance is too low" }], "api"],
    ["too long a prompt", [{ ...FAILED, result: "Prompt is too long" }], "api"],
    [
      "no connection",
      [{ ...FAILED, result: "API Error: Unable to connect to API (ConnectionRefused)" }],
      "network",
    ],
    ["a request that took too long", [{ ...FAILED, result: "API Error: Request timed out" }], "network"],
    ["a limit told by its words", [{ ...FAILED, result: "API Error: Rate limit reached" }], "rate-limit"],
    [
      "an error of the client's own",
      [
        {
          ...FAILED,
          subtype: "error_during_execution",
          result: undefined,
          errors: ["No conversation found"],
        },
      ],
      "crashed",
    ],
    ["the limit of turns", [{ ...FAILED, subtype: "error_max_turns", result: undefined }], "max-turns"],
    ["the limit of cost", [{ ...FAILED, subtype: "error_max_budget_usd" }], "budget"],
    [
      "a refusal, which is an answer",
      [{ ...FAILED, stop_reason: "refusal", result: "API Error: unable to respond" }],
      "completed",
    ],
    ["an unknown command", [{ ...DONE, num_turns: 0, result: "Unknown command: /pdf" }], "invalid"],
    ["a model that says so", [{ ...DONE, num_turns: 1, result: "Unknown command: /pdf" }], "completed"],
    ["several results", [DONE, DONE], "completed"],
    ["several results, the last failed", [DONE, { ...FAILED, api_error_status: 500 }], "api"],
    ["several results, the first failed", [{ ...FAILED, api_error_status: 429 }, DONE], "rate-limit"],
    ["no result", [], "crashed"],
  ])("%s", (_, results, status) => {
    // Exit codes say nothing: all of these have been seen with 0 and with 1.
    for (const code of [0, 1])
      expect(
        claudeOutcome(after(results as never), ended({ kind: "exited", code, signal: null })).status,
      ).toBe(status);
  });

  it.each<[object, mayPass: boolean]>([
    [{ ...FAILED, api_error_status: 529, result: "Overloaded" }, true],
    [{ ...FAILED, api_error_status: 429 }, true],
    [{ ...FAILED, result: "API Error: Unable to connect to API (ConnectionRefused)" }, true],
    [{ ...FAILED, api_error_status: 404, result: "There is no model opus-9" }, false],
    [{ ...FAILED, result: 'API Error: 400 {"type":"error"}' }, false],
    [{ ...FAILED, result: 'API Error: 500 {"type":"error"}' }, true],
    [{ ...FAILED, result: "There's an issue with the selected model (opus-9). It may not exist." }, false],
    [{ ...FAILED, result: "Credit balance is too low" }, false],
    [{ ...FAILED, api_error_status: 401 }, false],
    [{ ...FAILED, result: "There's an issue with the selected model (opus-9)." }, false],
    [{ ...FAILED, subtype: "error_max_budget_usd" }, false],
  ])("%j may pass: %s", (result, mayPass) => {
    const exited: Ending = { kind: "exited", code: 1, signal: null };
    expect(claudeOutcome(after([result] as never), ended(exited))).toMatchObject({ mayPass });
  });

  it.each<[Ending, Outcome["status"]]>([
    [{ kind: "timed-out" }, "timed-out"],
    [{ kind: "aborted" }, "interrupted"],
    [{ kind: "not-started", reason: "gone" }, "crashed"],
    [{ kind: "stopped" }, "completed"],
  ])("%j is ours to say, whatever the client said at last", (ending, status) => {
    expect(claudeOutcome(after([FAILED]), ended(ending)).status).toBe(status);
    expect(claudeOutcome(after([]), ended(ending)).status).toBe(status);
  });

  it("quotes standard error where there is no result", () => {
    const exited: Ending = { kind: "exited", code: null, signal: "SIGKILL" };
    expect(claudeOutcome(after([]), ended(exited, "out of memory\n"))).toEqual({
      status: "crashed",
      message: "claude was ended by SIGKILL without a result event: out of memory",
    });
    expect(claudeOutcome(after([]), ended(exited, "Invalid API key")).status).toBe("auth");
  });

  it("quotes what is no event where standard error is empty, and nothing where both are", () => {
    const exited: Ending = { kind: "exited", code: 1, signal: null };
    const message = (plain: string) => claudeOutcome({ ...after([]), plain }, ended(exited, " \n"));
    const what = "claude ended with exit code 1 without a result event";
    expect(message("This version needs an update.")).toMatchObject({
      message: `${what}: This version needs an update.`,
    });
    expect(message("")).toMatchObject({ message: what });
  });

  it.each<[string, Ending, string, readonly object[]]>([
    ["a usage error", { kind: "exited", code: 1, signal: null }, "error: unknown option '--x'", []],
    ["a crash", { kind: "exited", code: null, signal: "SIGSEGV" }, "", []],
    ["a program that does not start", { kind: "not-started", reason: "ENOEXEC" }, "", []],
    [
      "words that nobody knows",
      { kind: "exited", code: 1, signal: null },
      "",
      [{ ...FAILED, result: "Nope" }],
    ],
  ])("%s before a model has answered says nothing about the skill", (_, ending, stderr, results) => {
    const said = { results: results as ClaudeSaid["results"], begun: false, plain: "" };
    expect(claudeOutcome(said, ended(ending, stderr))).toMatchObject({ status: "invalid", mayPass: false });
    expect(claudeOutcome({ ...said, begun: true }, ended(ending, stderr)).status).toBe("crashed");
  });

  it.each<[string, Outcome["status"]]>([
    ["Invalid API key · Please run /login", "auth"],
    ["5-hour limit reached ∙ resets 3pm", "invalid"],
    ["", "invalid"],
  ])("%j called a success before a model has answered is left out", (result, status) => {
    const said = { results: [{ ...DONE, result }], begun: false, plain: "" };
    const exited: Ending = { kind: "exited", code: 0, signal: null };
    expect(claudeOutcome(said, ended(exited))).toMatchObject({
      status,
      message: expect.stringMatching(/^claude ended before a model answered/),
      mayPass: false,
    });
    expect(claudeOutcome({ ...said, begun: true }, ended(exited)).status).toBe("completed");
  });

  it("says which command is unknown", () => {
    const unknown = { ...DONE, num_turns: 0, result: "Unknown slash command: pdf" };
    expect(claudeOutcome(after([unknown]), ended({ kind: "exited", code: 0, signal: null }))).toEqual({
      status: "invalid",
      message: "the client does not know pdf: the skill was not offered",
      mayPass: false,
    });
  });
});

describe("an interactive stop", () => {
  const ASKED = { ...DONE, stop_reason: "end_turn" };
  const said = (parts: Partial<LastWords>): LastWords => ({
    results: [ASKED],
    text: "Done.",
    asksUser: false,
    backgroundTasks: 0,
    ...parts,
  });

  it.each<[string, Partial<LastWords>, "question" | "background-task" | null]>([
    ["a question in the only turn", { text: "Which one?  \n" }, "question"],
    ["the asking tool", { asksUser: true }, "question"],
    ["a statement", {}, null],
    ["a question after work", { text: "Which?", results: [{ ...ASKED, num_turns: 2 }] }, null],
    [
      "a question cut by length",
      { text: "Which?", results: [{ ...ASKED, stop_reason: "max_tokens" }] },
      null,
    ],
    [
      "a question without a count of turns",
      { text: "Which?", results: [{ ...ASKED, num_turns: undefined }] },
      null,
    ],
    ["no result at all", { text: "Which?", results: [] }, null],
    [
      "waiting for helpers",
      { backgroundTasks: 1, text: "I am still waiting.", results: [turns(9)] },
      "background-task",
    ],
    ["too few turns for its helpers", { backgroundTasks: 2, results: [turns(3)] }, "background-task"],
    ["enough turns for its helpers", { backgroundTasks: 2, results: [turns(4)] }, null],
    ["enough turns over several results", { backgroundTasks: 2, results: [turns(2), turns(2)] }, null],
    ["waiting without helpers", { text: "Still waiting in the background." }, null],
    [
      "words that only contain those",
      { backgroundTasks: 1, text: "Discontinuing.", results: [turns(5)] },
      null,
    ],
  ])("%s", (_, parts, cause) => {
    const stop = interactiveStop(said(parts), { syncTasks: false });
    expect(stop?.status === "interactive" ? stop.cause : null).toBe(cause);
  });

  it("is no wait where helpers finish first", () => {
    const waiting = said({ backgroundTasks: 1, text: "still waiting", results: [turns(2)] });
    expect(interactiveStop(waiting, { syncTasks: true })).toBeNull();
    expect(interactiveStop(said({ text: "Which?" }), { syncTasks: true })?.status).toBe("interactive");
  });

  function turns(count: number) {
    return { ...ASKED, num_turns: count };
  }
});

function ended(ending: Ending, stderrTail = ""): Supervised {
  return { ending, stderrTail, left: [], durationMs: 1000, notes: [] };
}
