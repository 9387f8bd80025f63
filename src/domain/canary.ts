import type { Json, JsonObject } from "./json.ts";
import type { Case } from "./suite.ts";

/**
 * The id of the one query that Assay adds by itself: it names the skill, so it must fire wherever anything can. No eval
 * file can declare it, because a colon is in no id.
 */
export const CANARY_ID = "assay:canary";

/** One that fires is enough, so that a single slip of a model does not spoil a result. */
export const CANARY_RUNS = 2;

export function isCanary(one: Pick<Case, "id">): boolean {
  return one.id === CANARY_ID;
}

/** Names the skill as the client knows it, which is another name in each probe. */
export function canaryPrompt(skill: string): string {
  return `Use the skill "${skill}" now. Load it before you do anything else.`;
}

/** What was installed for the probes; kept in the canary's case, so that a journal can tell it later. */
export interface ProbedSkill {
  readonly name: string;
  readonly description: string | null;
  readonly layout: "directory" | "command";
  /** False when the skill's own frontmatter keeps models from calling it. */
  readonly modelMayCall: boolean;
  /** Names of the other skills staged beside it. */
  readonly rivals: readonly string[];
}

export function probedSkillOf(cases: readonly Case[]): ProbedSkill | null {
  const canary = cases.find(isCanary);
  return canary === undefined ? null : fromExtras(canary.extras);
}

export function toExtras({ name, description, layout, modelMayCall, rivals }: ProbedSkill): JsonObject {
  return { name, description, layout, modelMayCall, rivals };
}

function fromExtras(extras: JsonObject): ProbedSkill {
  const { name, description, layout, modelMayCall, rivals } = extras;
  return {
    name: typeof name === "string" ? name : "",
    description: typeof description === "string" ? description : null,
    layout: layout === "command" ? "command" : "directory",
    modelMayCall: modelMayCall !== false,
    rivals: (Array.isArray(rivals) ? (rivals as readonly Json[]) : []).map(String),
  };
}
