import type { Prompt } from "../domain/suite.ts";
import type { StagedSkill } from "./harness.ts";

/** The user messages to send; an invocation is spelled by the harness, and without a skill it is its bare arguments. */
export function promptTexts(
  prompt: Prompt,
  invoke: (name: string, args: string) => string,
  skill: StagedSkill | null,
): readonly string[] {
  if (prompt.kind === "turns") return prompt.turns;
  return [skill === null ? prompt.args : invoke(skill.name, prompt.args)];
}
