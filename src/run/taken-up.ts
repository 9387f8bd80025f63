import type { Json } from "../domain/json.ts";
import { calledSkill, isSkillTool } from "./called-skill.ts";
import { skillsReadBy } from "./skill-reads.ts";

/** A skill that a tool call takes up, and how. */
export interface TakenUp {
  readonly skill: string;
  readonly by: "tool" | "read";
}

/** By the client's own tool for skills, or by reading SKILL.md with any tool that does not write. */
export function takenUpBy(tool: string, input: Json): readonly TakenUp[] {
  if (isSkillTool(tool)) {
    const skill = calledSkill(input);
    return skill === null ? [] : [{ skill, by: "tool" }];
  }
  if (WRITES.test(tool)) return [];
  return skillsReadBy(input).map((skill) => ({ skill, by: "read" }));
}

const WRITES = /write|edit|replace|patch|create|todo|task|agent/iu;
