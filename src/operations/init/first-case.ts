import type { JsonObject } from "../../domain/json.ts";
import type { Skill } from "../../domain/skill.ts";
import type { InitDoor } from "../init.ts";

export interface FirstCase {
  /** As an entry of an evals.json. */
  readonly entry: JsonObject;
  readonly isDraft: boolean;
}

/** What to ask and what to expect: as said, as answered, else a draft from what the skill says of itself. */
export async function firstCase(
  { name, description }: Skill,
  said: { readonly prompt: string | null; readonly expected: string | null },
  ask: NonNullable<InitDoor["ask"]>,
): Promise<FirstCase> {
  const about = sentenceOf(description) ?? `what the ${name} skill is for`;
  const drafted = {
    prompt: `Please do this for me: ${about}`,
    expected: `The result does what was asked: ${about}`,
  };
  const prompt =
    said.prompt ?? (await ask("What would somebody ask the agent, in their own words?", drafted.prompt));
  const expected =
    said.expected ?? (await ask("What must be true of the result, in one sentence?", drafted.expected));
  return {
    entry: { id: 1, prompt, expected_output: expected, expectations: [expected] },
    isDraft: prompt === drafted.prompt || expected === drafted.expected,
  };
}

function sentenceOf(description: string | null): string | null {
  const [first = ""] = (description ?? "").trim().split(/(?<=[.!?])\s/);
  const plain = first.replaceAll(/\s+/g, " ").replace(/\.$/, "");
  return plain === "" ? null : plain;
}
