import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOf, offered } from "./test-client.ts";
import { meansTool, toClientCall } from "./tools.ts";
import { Unanswerable } from "./unanswerable.ts";

const CLAUDE = askOf({ tools: offered("Bash", "Read", "Write", "Edit", "Skill") });
const CODEX = askOf({ tools: offered("exec_command", "apply_patch") });
const CODEX_PLAIN = askOf({ tools: offered("exec_command") });
const OPENCODE = askOf({ tools: offered("bash", "read", "write", "edit", "skill") });
const GEMINI = askOf({
  tools: offered("run_shell_command", "read_file", "write_file", "replace", "activate_skill"),
});

describe("an alias", () => {
  it.each([
    [
      "bash",
      { command: "ls" },
      [CLAUDE, CODEX, OPENCODE, GEMINI],
      ["Bash", "exec_command", "bash", "run_shell_command"],
    ],
    ["read", { path: "a" }, [CLAUDE, CODEX, OPENCODE, GEMINI], ["Read", "exec_command", "read", "read_file"]],
    [
      "write",
      { path: "a", content: "b" },
      [CLAUDE, CODEX, OPENCODE, GEMINI],
      ["Write", "exec_command", "write", "write_file"],
    ],
    [
      "edit",
      { path: "a", old: "b", new: "c" },
      [CLAUDE, CODEX, OPENCODE, GEMINI],
      ["Edit", "apply_patch", "edit", "replace"],
    ],
    ["skill", { name: "s" }, [CLAUDE, OPENCODE, GEMINI], ["Skill", "skill", "activate_skill"]],
    ["patch", { patch: "p" }, [CODEX, CODEX_PLAIN], ["apply_patch", "exec_command"]],
  ])("%s is spelled for each client", (name, input, asks, expected) => {
    expect(asks.map((ask) => toClientCall(name, input, ask).name)).toEqual(expected);
  });

  it("uses the names of fields that the tool takes", () => {
    const tool = (name: string, ...takes: readonly string[]) => ({
      ...askOf({ tools: [{ name, custom: false, description: "", takes }] }),
    });
    expect(toClientCall("skill", { name: "s" }, tool("skill", "skill")).input).toEqual({ skill: "s" });
    expect(toClientCall("skill", { name: "s" }, tool("skill", "name")).input).toEqual({ name: "s" });
    expect(
      toClientCall("write", { path: "/a", content: "x" }, tool("write", "path", "content")).input,
    ).toEqual({
      path: "/a",
      content: "x",
    });
    expect(toClientCall("read", { path: "/a" }, tool("read", "filePath")).input).toEqual({ filePath: "/a" });
  });

  it("has the input the client expects", () => {
    expect(toClientCall("write", { path: "/a", content: "x" }, CLAUDE).input).toEqual({
      file_path: "/a",
      content: "x",
    });
    expect(toClientCall("skill", { name: "s", args: "Ada" }, CLAUDE).input).toEqual({
      skill: "s",
      args: "Ada",
    });
    expect(toClientCall("bash", { command: "ls" }, askOf({ tools: offered("shell") })).input).toEqual({
      command: ["bash", "-lc", "ls"],
    });
    expect(toClientCall("edit", { path: "a", old: "1\n2", new: "3" }, CODEX)).toEqual({
      name: "apply_patch",
      input: "*** Begin Patch\n*** Update File: a\n@@\n-1\n-2\n+3\n*** End Patch",
      custom: true,
    });
  });

  it("activates a skill through the shell by reading the file the listing names", () => {
    const system =
      "<skills_instructions>\n- `r0` = `/ws/it's`\n### Available skills\n- s: d (file: r0/s/SKILL.md)\n</skills_instructions>";
    const ask = askOf({ system, tools: offered("exec_command") });
    expect(toClientCall("skill", { name: "s" }, ask).input).toEqual({ cmd: `cat '/ws/it'\\''s/s/SKILL.md'` });
    expect(() => toClientCall("skill", { name: "t" }, ask)).toThrow(/lists only s/);
  });

  it("cannot be served by a client without a fitting tool", () => {
    expect(() => toClientCall("bash", { command: "ls" }, askOf())).toThrow(Unanswerable);
    expect(() => toClientCall("patch", { patch: "p" }, CLAUDE)).toThrow(/offers only Bash, Read/);
  });

  it("writes any text through a shell unchanged", () => {
    const folder = mkdtempSync(join(tmpdir(), "sim-tools-"));
    try {
      const text = fc.string({ unit: "binary" }).map((written) => written.replaceAll("\0", ""));
      const contents = ["a'b \\ $HOME `x` %s\n\n", ...fc.sample(text, 8)];
      const path = (index: number) => join(folder, "it's a dir", `$(${index}).txt`);
      const commands = contents.map((content, index) => {
        const { input } = toClientCall("write", { path: path(index), content }, CODEX_PLAIN);
        return (input as { cmd: string }).cmd;
      });
      // One shell for all: starting one takes longer than anything it does here.
      execFileSync("bash", ["-ec", commands.join("\n")]);
      expect(contents.map((_, index) => readFileSync(path(index), "utf8"))).toEqual(contents);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("any other name", () => {
  it("is passed on as it is, offered or not", () => {
    expect(toClientCall("mcp__x", { a: 1 }, CLAUDE)).toEqual({
      name: "mcp__x",
      input: { a: 1 },
      custom: false,
    });
    expect(toClientCall("apply_patch", "text", CODEX)).toEqual({
      name: "apply_patch",
      input: "text",
      custom: true,
    });
  });
});

it.each([
  ["bash", "exec_command", true],
  ["Bash", "bash", true],
  ["write", "Write", true],
  ["write", "Read", false],
  ["mcp__x", "mcp__x", true],
])("%s means %s: %s", (wanted, tool, expected) => {
  expect(meansTool(wanted, tool)).toBe(expected);
});
