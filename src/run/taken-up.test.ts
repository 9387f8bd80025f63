import { expect, it } from "vitest";
import { takenUpBy } from "./taken-up.ts";

it.each([
  ["Skill", { skill: "pdf" }, [{ skill: "pdf", by: "tool" }]],
  ["skill", { name: "pdf" }, [{ skill: "pdf", by: "tool" }]],
  ["activate_skill", { name: "pdf" }, [{ skill: "pdf", by: "tool" }]],
  ["skill", {}, []],
  ["run_shell_command", { command: "cat .agents/skills/pdf/SKILL.md" }, [{ skill: "pdf", by: "read" }]],
  ["read_file", { file_path: "/ws/.agents/skills/pdf/SKILL.md" }, [{ skill: "pdf", by: "read" }]],
  ["write_file", { file_path: "/ws/.agents/skills/pdf/SKILL.md", content: "" }, []],
  ["replace", { file_path: "/ws/.agents/skills/pdf/SKILL.md" }, []],
  ["run_shell_command", { command: "ls" }, []],
])("%s with %j takes up %j", (tool, input, taken) => {
  expect(takenUpBy(tool, input)).toEqual(taken);
});
