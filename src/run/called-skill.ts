import type { Json } from "../domain/json.ts";
import { textAt } from "../lib/loose.ts";

/** The skill that a call of the tool `Skill` names; null: it names none. */
export function calledSkill(input: Json): string | null {
  const named = textAt(input, "skill") || textAt(input, "command");
  return named === "" ? null : named.replace(/^\//, "");
}
