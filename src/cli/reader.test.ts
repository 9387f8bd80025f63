import { describe, expect, it } from "vitest";
import { hasColor, isAgentReading, isWatched } from "./reader.ts";

describe("who reads", () => {
  it.each([
    "AI_AGENT",
    "CLAUDECODE",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "CODEX_THREAD_ID",
    "COPILOT_CLI",
    "OPENCODE",
  ])("is a coding agent where %s is set", (name) => {
    expect(isAgentReading({ [name]: "1" })).toBe(true);
    expect(isAgentReading({ [name]: "" })).toBe(false);
    expect(isWatched({ [name]: "1" }, true)).toBe(false);
  });

  it.each<[Readonly<Record<string, string>>, boolean, boolean]>([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
    [{ TERM: "dumb" }, true, false],
    [{ CLAUDECODE: "1" }, true, false],
  ])("sees color with %j at a terminal (%s): %s", (env, isTerminal, color) => {
    expect(hasColor(env, isTerminal)).toBe(color);
  });

  it.each<[Readonly<Record<string, string>>, boolean, boolean]>([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, true],
    [{ CI: "true" }, true, false],
    [{ CI: "false" }, true, true],
    [{ TERM: "dumb" }, true, false],
  ])("watches with %j at a terminal (%s): %s", (env, isTerminal, watched) => {
    expect(isWatched(env, isTerminal)).toBe(watched);
  });
});
