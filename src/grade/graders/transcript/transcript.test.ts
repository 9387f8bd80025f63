import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TranscriptClaim } from "../../../domain/check.ts";
import type { Json } from "../../../domain/json.ts";
import type { TranscriptBody } from "../../../domain/transcript.ts";
import { verdictOn, verdictsOn } from "../../fixtures/decide.ts";
import { isSameTool } from "./tool-names.ts";

let nextId = 0;
const call = (tool: string, input: Json = {}): TranscriptBody => ({
  kind: "tool-call",
  callId: `id-${nextId++}`,
  tool,
  input,
});
const denial = (of: TranscriptBody): TranscriptBody => ({
  kind: "tool-result",
  callId: of.kind === "tool-call" ? of.callId : "",
  tool: null,
  output: "no",
  isError: true,
  denied: true,
});
const called = (tool: string, args: string | null = null, count = 1): TranscriptClaim => ({
  kind: "tool_called",
  tool,
  arguments: args,
  count,
});
const notCalled = (tool: string, args: string | null = null): TranscriptClaim => ({
  kind: "tool_not_called",
  tool,
  arguments: args,
});
const order = (...tools: string[]): TranscriptClaim => ({ kind: "tool_order", tools });

const ls = call("Bash", { command: "ls -la" });
const rm = call("Bash", { command: 'rm "old file"', options: { force: true } });
const read = call("Read", { path: "a.md" });
const edit = call("Edit", { path: "a.md" });

describe("transcript checks", () => {
  it.each<[string, TranscriptClaim, readonly TranscriptBody[], string]>([
    ["a call", called("Bash"), [ls], "passed"],
    ["a call in another case", called("bash"), [ls], "passed"],
    ["another tool", called("Bash"), [read], "failed"],
    ["a longer name", called("Bash"), [call("BashOutput")], "failed"],
    ["a part of a name", called("mcp__x__search_all"), [call("mcp__x__search")], "failed"],
    ["Codex's name for it", called("Bash"), [call("shell", { command: "ls" })], "passed"],
    ["Claude's name for it", called("shell"), [ls], "passed"],
    ["enough calls", called("Bash", null, 2), [ls, rm], "passed"],
    ["too few calls", called("Bash", null, 3), [ls, rm], "failed"],
    ["arguments", called("Bash", "^ls\\b"), [ls], "passed"],
    ["arguments with quotes as they are", called("Bash", 'rm "old'), [rm], "passed"],
    ["arguments as JSON", called("Bash", '"force":true'), [rm], "passed"],
    ["other arguments", called("Bash", "git"), [ls, rm], "failed"],
    ["arguments of another tool", called("Bash", "a\\.md"), [read, ls], "failed"],
    ["one call with several matching texts once", called("Bash", "ls|la", 2), [ls], "failed"],
    ["no call", notCalled("Bash"), [read], "passed"],
    ["nothing at all", notCalled("Bash"), [], "passed"],
    ["an unwanted call", notCalled("Bash"), [ls], "failed"],
    ["an unwanted call that was denied", notCalled("Bash"), [ls, denial(ls)], "failed"],
    ["an unwanted call under another name", notCalled("Write"), [call("write_file")], "failed"],
    ["unwanted arguments", notCalled("Bash", "\\brm\\b"), [ls, rm], "failed"],
    ["other arguments than the unwanted", notCalled("Bash", "\\brm\\b"), [ls], "passed"],
    ["an order", order("Read", "Edit"), [read, ls, edit], "passed"],
    ["the wrong order", order("Read", "Edit"), [edit, read], "failed"],
    ["an order whose first calls are wrong", order("Read", "Edit"), [edit, read, edit], "failed"],
    ["an order with a tool twice", order("Read", "Edit", "Read"), [read, edit, call("Read")], "passed"],
    ["an order with a tool too few", order("Read", "Edit", "Read"), [read, edit], "failed"],
    ["an order of one", order("Read"), [edit, read], "passed"],
    ["an order of nothing called", order("Read"), [], "failed"],
    ["no denial", { kind: "no_denied_tools" }, [ls], "passed"],
    ["a denial", { kind: "no_denied_tools" }, [ls, denial(ls)], "failed"],
  ])("see %s", async (_what, claim, events, status) => {
    const verdict = await verdictOn(claim, { events });
    expect(verdict.status).toBe(status);
    expect(verdict.evidence).not.toEqual([]);
  });

  it("counts the calls of sub-agents", async () => {
    const verdict = await verdictOn(called("Bash"), { events: [{ ...ls, agent: "explorer" }] });
    expect(verdict.status).toBe("passed");
  });

  it("quotes the call with the event it stands in, and says what was called instead", async () => {
    const [hit, miss] = await verdictsOn({ events: [read, ls], claims: [called("Bash"), called("Grep")] });
    expect(hit?.evidence).toEqual([
      { kind: "quote", text: 'Bash {"command":"ls -la"}', source: { kind: "event", index: 1 } },
    ]);
    expect(miss?.evidence).toEqual([
      { kind: "measure", text: "2 tool calls, all of other tools: Read, Bash" },
    ]);
    expect(miss?.reason).toBe("Grep was never called; 1 wanted");
  });

  it("sees a denial that only the client reports", async () => {
    const verdict = await verdictOn(
      { kind: "no_denied_tools" },
      { run: { denials: [{ tool: "WebFetch", input: {} }] } },
    );
    expect(verdict).toMatchObject({ status: "failed", reason: "denied: WebFetch" });
  });

  it.each<[string | null, string, string]>([
    [null, "greet", "passed"],
    [null, "plugin:greet", "passed"],
    [null, "other", "failed"],
    ["other", "other", "passed"],
    ["other", "greet", "failed"],
  ])("wants the skill %j and sees %j", async (skill, taken, status) => {
    const run = { activations: [{ skill: taken, by: "tool", event: 4 } as const] };
    expect((await verdictOn({ kind: "skill_loaded", skill }, { run })).status).toBe(status);
  });

  it("stops a catastrophic pattern for the arguments", async () => {
    const events = [call("Bash", { command: `${"a".repeat(40)}b` })];
    const [slow, quick] = await verdictsOn({
      events,
      claims: [called("Bash", "^(a*)*\\1$"), called("Bash")],
    });
    expect(slow).toMatchObject({ status: "unscored", reason: expect.stringContaining("2 s") as string });
    expect(quick?.status).toBe("passed");
  });

  it("takes any input for an argument", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (input) => {
        const events = [call("Bash", input as Json)];
        expect((await verdictOn(called("Bash", "."), { events })).status).toBe("passed");
      }),
      { numRuns: 100 },
    );
  });
});

describe("tool names", () => {
  it.each([
    ["Bash", "shell", true],
    ["Bash", "run_shell_command", true],
    ["Write", "apply_patch", true],
    ["Edit", "apply_patch", true],
    ["Edit", "MultiEdit", true],
    ["Write", "Edit", false],
    ["Read", "read_file", true],
    ["WebSearch", "web_search", true],
    ["Skill", "activate_skill", true],
    ["Bash", "Bash ", true],
    ["mcp__github__search", "MCP__GitHub__search", true],
    ["search", "mcp__github__search", false],
    ["Read", "Write", false],
  ])("%s and %s: %s", (named, calledAs, same) => {
    expect(isSameTool(named, calledAs)).toBe(same);
    expect(isSameTool(calledAs, named)).toBe(same);
  });
});
