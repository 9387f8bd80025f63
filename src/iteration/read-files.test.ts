import { describe, expect, it } from "vitest";
import { filesRead } from "./read-files.ts";

const FILES = ["references/forms.md", "references/rules.md", "scripts/fill.py", "scripts/table.py"];
const PROGRAMS: Readonly<Record<string, string>> = {
  "scripts/fill.py": "from table import Table\nTable(open('references/rules.md'))",
};

function read(...inputs: readonly object[]): readonly string[] {
  const calls = inputs.map((input) => JSON.stringify(input));
  const textOf = (path: string) => PROGRAMS[path] ?? null;
  return [...filesRead(calls, { folder: "pdf", files: FILES, textOf })].toSorted();
}

describe("the files of a skill that a run may have read", () => {
  it.each<[string, object, readonly string[]]>([
    ["a file tool", { file_path: "/ws/.claude/skills/pdf/references/forms.md" }, ["references/forms.md"]],
    ["a shell", { command: "cd .claude/skills/pdf && cat references/forms.md" }, ["references/forms.md"]],
    ["a wildcard", { command: "cat references/*" }, ["references/forms.md", "references/rules.md"]],
    ["a folder", { command: "grep -r field references" }, ["references/forms.md", "references/rules.md"]],
    ["a folder with a slash", { path: "references/" }, ["references/forms.md", "references/rules.md"]],
    ["the whole skill", { pattern: "x", path: "/ws/.claude/skills/pdf" }, FILES],
    [
      "a program that imports and opens others",
      { command: "python scripts/fill.py out.pdf" },
      ["references/rules.md", "scripts/fill.py", "scripts/table.py"],
    ],
    ["the skill's name alone", { skill: "pdf" }, []],
    ["a look at its folder", { command: "cd .claude/skills/pdf; ls -la references; pwd" }, []],
    ["something else", { file_path: "preferences/forms.txt" }, []],
  ])("are those that %s names", (_, input, files) => {
    expect(read(input)).toEqual(files.toSorted());
  });
});
