import type { Json } from "../domain/json.ts";
import { textAt } from "../lib/loose.ts";

/** The skill that a call of a client's tool for skills names; null: it names none. */
export function calledSkill(input: Json): string | null {
  const named = textAt(input, "skill") || textAt(input, "command") || textAt(input, "name");
  return named === "" ? null : named.replace(/^\//, "");
}

/** `Skill` of Claude Code, `skill` of Qwen Code, opencode, Copilot and Kilo, `activate_skill` of Gemini CLI. */
export function isSkillTool(tool: string): boolean {
  return /^(?:activate_)?skill$/iu.test(tool);
}
