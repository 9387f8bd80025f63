import { expect, it } from "vitest";
import type { TranscriptBody } from "../domain/transcript.ts";
import { openClaims } from "./claims.ts";

const PLACES = { workspace: "/sandbox/workspace", home: "/sandbox/home", temp: "/tmp" };

function unfounded(claim: TranscriptBody, said: readonly string[] | null, callIds = true): string | null {
  const claims = openClaims({ callIds }, PLACES);
  claims?.hear({ index: 0, turn: 1, agent: null, ...claim });
  return claims?.unfounded(said) ?? null;
}

const message = (text: string): TranscriptBody => ({ kind: "message", role: "assistant", text });
const call = (tool: string, input: Record<string, string>): TranscriptBody => ({
  kind: "tool-call",
  callId: "toolu_1",
  tool,
  input,
});

it.each([
  ["the model's words", message("I wrote a.txt."), ["I wrote a.txt."]],
  ["other spaces", message("One\n\n two "), ["One two"]],
  ["lines between which something was left out", message("One.\nThree."), ["One.\n<cite/>Two.\nThree."]],
  ["the user's words", { kind: "message", role: "user", text: "Go" } as const, []],
  ["a call", call("Bash", { command: "ls" }), ["toolu_1", "Bash", "cd /x && ls"]],
  [
    "a path made absolute",
    call("Read", { file_path: "/sandbox/workspace/a/b.md" }),
    ["toolu_1", "Read", "a/b.md"],
  ],
  [
    "quotation",
    call("Bash", { command: "find . -exec ls {} \\;" }),
    ["toolu_1", "Bash", "find . -exec ls {} \\\\;"],
  ],
])("has nothing against %s", (_, claim, said) => {
  expect(unfounded(claim, said)).toBeNull();
});

it.each([
  [
    "an answer",
    message("All tests pass."),
    ["Tests fail."],
    'an answer that no model gave: "All tests pass."',
  ],
  [
    "an answer made of two",
    message("All tests pass."),
    ["All tests", "pass."],
    "an answer that no model gave",
  ],
  [
    "an id",
    call("Bash", { command: "ls" }),
    ["toolu_2", "Bash", "ls"],
    "a call of Bash (toolu_1) that no model made",
  ],
  ["a tool", call("Bash", { command: "ls" }), ["toolu_1", "Read", "ls"], "a call of Bash (toolu_1)"],
  [
    "an input",
    call("Bash", { command: "make test" }),
    ["toolu_1", "Bash", "ls"],
    'a call of Bash that no model gave: "make test"',
  ],
])("tells %s of nobody", (_, claim, said, difference) => {
  expect(unfounded(claim, said)).toContain(difference);
});

it("compares commands of a client that has ids of its own, unless the model wrote a program that calls them", () => {
  const command = call("shell", { command: "/bin/bash -lc 'ls -la'" });
  expect(unfounded(command, ["exec_command", "ls -la"], false)).toBeNull();
  expect(unfounded(command, ["exec_command", "pwd"], false)).toContain("a call of shell");
  expect(unfounded(command, ["exec", "tools.run(['l', 's'].join(''))"], false)).toBeNull();
  expect(unfounded(call("apply_patch", { path: "other.txt" }), ["pwd"], false)).toBeNull();
});

it("says nothing where nothing is known, and of harnesses that do not quote", () => {
  expect(unfounded(message("All tests pass."), null)).toBeNull();
  expect(openClaims(undefined, PLACES)).toBeNull();
});
