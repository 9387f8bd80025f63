import { describe, expect, it } from "vitest";
import { skillsReadBy } from "./skill-reads.ts";

describe("skillsReadBy", () => {
  it.each([
    [{ file_path: "/w/.claude/skills/pdf/SKILL.md" }, ["pdf"]],
    [{ command: "cat '/w/.agents/skills/hex-greeter/SKILL.md'" }, ["hex-greeter"]],
    [{ command: "/bin/bash -lc \"cat '/w/.agents/skills/a.b/SKILL.md' | head\"" }, ["a.b"]],
    [{ command: "cat a/SKILL.md b/SKILL.md a/SKILL.md" }, ["a", "b"]],
    [{ command: "cat .claude/skills/grüße/SKILL.md" }, ["grüße"]],
    [{ command: "cat skills/pdf/skill.md" }, ["pdf"]],
    [{ command: "cat .claude/skills/*/SKILL.md" }, []],
    [{ command: "cat SKILL.md; cat ./SKILL.md; cat ../SKILL.md" }, []],
    [{ command: "find / -name SKILL.md" }, []],
    [{ command: "echo x > out/mine/SKILL.md" }, []],
    [{ command: "cat skills/pdf/SKILL.md > out/mine/SKILL.md" }, ["pdf"]],
    [{ file_path: "/w/notes/SKILL.mdx" }, []],
    [{ command: "x".repeat(2_000_000) }, []],
    [{ command: "cat x/SKILL.md ".repeat(5_000) }, ["x"]],
    [{}, []],
    [undefined, []],
  ])("%#", (input, expected) => {
    expect(skillsReadBy(input)).toEqual(expected);
  });
});
