import { describe, expect, it } from "vitest";
import type { AskEntry } from "../../wires/ask.ts";
import { listedSkills, skillDirectory } from "./skills.ts";
import { askOf, offered, sceneOf } from "./test-client.ts";

const user = (text: string): AskEntry => ({ kind: "user", text });
const says = (text: string): AskEntry => ({ kind: "assistant", text });
const call = (id: string, tool = "Bash"): AskEntry => ({ kind: "call", id, tool });
const result = (callId: string, text = "ok", isError = false): AskEntry => ({
  kind: "result",
  callId,
  text,
  isError,
});

describe("a scene", () => {
  it.each<[string, readonly AskEntry[], object]>([
    ["the first request", [user("a")], { turn: 1, step: 1, responses: 0, userText: "a" }],
    ["a request without any text", [], { turn: 1, step: 1, responses: 0, userText: "" }],
    [
      "what stands around the prompt",
      [
        user("<environment_context>\n<cwd>/x</cwd></environment_context>"),
        user("<system-reminder>no</system-reminder>\nhello"),
        user("there"),
      ],
      { turn: 1, step: 1, userText: "hello\nthere" },
    ],
    [
      "Qwen Code's exchange before the prompt",
      [
        user("This is the Qwen Code. We are setting up the context for our chat.\nToday is Tuesday."),
        says("Got it. Thanks for the context!"),
        user("a\n\n"),
      ],
      { turn: 1, step: 1, responses: 0, userText: "a" },
    ],
    [
      "after one tool",
      [user("a"), call("1"), result("1", "out")],
      { turn: 1, step: 2, responses: 1, results: [{ tool: "Bash", text: "out", isError: false }] },
    ],
    [
      "one response of several calls",
      [user("a"), says("x"), call("1"), call("2", "Read"), result("2"), result("1")],
      { step: 2, responses: 1, results: [{ tool: "Read" }, { tool: "Bash" }] },
    ],
    [
      "a skill's body after its call is no turn",
      [user("a"), call("1", "Skill"), result("1"), user("Base directory for this skill: /s")],
      { turn: 1, step: 2, userText: "a" },
    ],
    [
      "the second turn",
      [user("a"), call("1"), result("1"), says("done"), user("b")],
      { turn: 2, step: 1, responses: 2, userText: "b", results: [] },
    ],
    [
      "a reminder of the client is no turn",
      [user("a"), says("x"), user("<system-reminder>tick</system-reminder>")],
      { turn: 1 },
    ],
    [
      "an unknown call",
      [user("a"), call("1"), result("9", "?", true)],
      { results: [{ tool: null, isError: true }] },
    ],
  ])("%s", (_name, entries, expected) => {
    expect(sceneOf({ entries })).toMatchObject(expected);
  });

  it("keeps the results when the client speaks after them", () => {
    const entries = [
      user("a"),
      call("1", "Skill"),
      result("1", "Launching"),
      user("Base directory for this skill: /s"),
    ];
    expect(sceneOf({ entries }).results).toEqual([{ tool: "Skill", text: "Launching", isError: false }]);
  });

  it.each([
    ["You are a title generator. You output a title.", "x", true],
    ["", "quota", true],
    ["You are a judge.", "Is this title good?", false],
  ])("tells side requests by their wording: %s", (system, text, side) => {
    expect(sceneOf({ system, entries: [user(text)] }).side).toBe(side);
    expect(sceneOf({ system, entries: [user(text)], tools: offered("Bash") }).side).toBe(false);
  });
});

describe("the skill listing", () => {
  const claude =
    "The following skills are available for use with the Skill tool:\n\n- hex-greeter: Greets: always.\n- plug:one: Other\n- bare\n\nMore text.\n- not-a-skill: x";
  const codex =
    "<skills_instructions>\n### Skill roots\n- `r0` = `/ws/.agents/skills`\n### Available skills\n- hex-greeter: Greets. (file: r0/hex-greeter/SKILL.md)\n- abs: Other (file: /opt/abs/SKILL.md)\n### How to use skills\n- Discovery: The list above\n</skills_instructions>";
  const xml =
    "<available_skills><skill><name>one</name><description>d</description><location>file:///s/one/SKILL.md</location></skill></available_skills>";

  it.each([
    ["Claude Code, as system", askOf({ system: claude }), ["hex-greeter", "plug:one", "bare"]],
    [
      "Claude Code, as a reminder",
      askOf({ entries: [user(`<system-reminder>\n${claude}\n</system-reminder>`), user("hi")] }),
      ["hex-greeter", "plug:one", "bare"],
    ],
    ["Codex", askOf({ system: codex }), ["hex-greeter", "abs"]],
    ["Gemini CLI, opencode", askOf({ tools: [{ name: "skill", custom: false, description: xml }] }), ["one"]],
    ["none", askOf({ system: "- looks: like one" }), []],
    ["a user who quotes a listing", askOf({ entries: [user(claude)] }), []],
  ])("of %s", (_name, ask, expected) => {
    expect(listedSkills(ask).map((skill) => skill.name)).toEqual(expected);
  });

  it("leads to the skill's directory", () => {
    expect(skillDirectory(askOf({ system: codex }), "hex-greeter")).toBe("/ws/.agents/skills/hex-greeter");
    expect(skillDirectory(askOf({ system: codex }), "abs")).toBe("/opt/abs");
    expect(skillDirectory(askOf({ tools: [{ name: "skill", custom: false, description: xml }] }), null)).toBe(
      "/s/one",
    );
    expect(skillDirectory(askOf({ system: claude }), "hex-greeter")).toBeNull();
  });

  it("prefers what the skill tool said last", () => {
    const entries = [
      user("Base directory for this skill: /a/one\n\nbody"),
      user("Base directory for this skill: /a/two\n\nbody"),
    ];
    expect(skillDirectory(askOf({ entries }), null)).toBe("/a/two");
    expect(skillDirectory(askOf({ entries }), "one")).toBe("/a/one");
  });
});
