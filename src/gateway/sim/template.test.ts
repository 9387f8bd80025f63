import { describe, expect, it } from "vitest";
import { fillJson, fillText, templateProblem } from "./template.ts";
import { sceneOf } from "./test-client.ts";
import { Unanswerable } from "./unanswerable.ts";

const scene = sceneOf({
  model: "gpt-x",
  system: "Primary working directory: /home/me/ws\nmore",
  entries: [
    { kind: "user", text: "please do 7 things" },
    { kind: "call", id: "c", tool: "exec_command" },
    {
      kind: "result",
      callId: "c",
      text: "Process running with session ID 91330\nBase directory for this skill: /s/one",
      isError: false,
    },
  ],
});

describe("a template", () => {
  it.each([
    ["plain", "plain"],
    ["{{userText}}!", "please do 7 things!"],
    ["{{ model }} at {{turn}}.{{step}}", "gpt-x at 1.2"],
    ["{{toolResult /session ID (\\d+)/}}", "91330"],
    ["{{userText /do \\d/}}", "do 7"],
    ["{{cwd}}/a", "/home/me/ws/a"],
    ["{{skill.dir}}/x and {{skill.dir one}}", "/s/one/x and /s/one"],
    ["\\{{userText}}", "{{userText}}"],
    ["{{userText /\\d{1}/}}", "7"],
  ])("%s becomes %s", (text, expected) => {
    expect(templateProblem(text)).toBeNull();
    expect(fillText(text, scene)).toBe(expected);
  });

  it.each([
    "Working directory: /my ws",
    " - Primary working directory: /my ws\n - Platform: linux",
    "<environment_context>\n  <cwd>/my ws</cwd>",
    "- **Workspace Directories:**\n  - /my ws\n- **Directory Structure:**",
  ])("finds the working directory in %j", (text) => {
    expect(fillText("{{cwd}}", sceneOf({ entries: [{ kind: "user", text }] }))).toBe("/my ws");
  });

  it("does not look for holes in what it filled in", () => {
    const tricky = sceneOf({ entries: [{ kind: "user", text: "{{model}} $& $1" }] });
    expect(fillText("<{{userText}}>", tricky)).toBe("<{{model}} $& $1>");
  });

  it("fills every string of a value and makes numbers where asked", () => {
    expect(
      fillJson({ a: ["{{model}}", 3, null, true], id: "{{toolResult /ID (\\d+)/ | number}}" }, scene),
    ).toEqual({
      a: ["gpt-x", 3, null, true],
      id: 91330,
    });
  });

  it.each(["{{skill.dir two}}", "{{userText /never/}}"])("%s has no value here", (text) => {
    expect(templateProblem(text)).toBeNull();
    expect(() => fillText(text, scene)).toThrow(Unanswerable);
  });

  it("refuses a number that is none", () => {
    expect(() => fillJson("{{model | number}}", scene)).toThrow(/is not a number/);
  });
});
