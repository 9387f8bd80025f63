import type { Skill } from "../../domain/skill.ts";

/** A skill as clients find it. */
export interface InstalledSkill {
  readonly skill: Skill;
  /** Where the client would read its SKILL.md: some listings hold that path. */
  readonly path: string;
  /** `agents/openai.yaml` does not forbid it. */
  readonly implicit: boolean;
}

/** What the model is told of one skill before it has read anything. */
export interface SkillInList {
  readonly name: string;
  /** `name only`: no word of its description. `not offered`: its author keeps it from models. `not known`: nobody says. */
  readonly status: "whole" | "shortened" | "name only" | "omitted" | "not offered" | "not known";
  /** Characters of the description that the model sees, and that there are. */
  readonly shown: number;
  readonly of: number;
  /** The description as the model sees it; null: it sees none, or nobody knows. */
  readonly description: string | null;
  /** Null for one that is listed whole. */
  readonly reason: string | null;
}

export interface ListingBudget {
  readonly limit: number;
  readonly unit: "characters" | "tokens";
  /** What listing every skill whole would take. */
  readonly needed: number;
}

interface ListingRoom {
  /** Of the model's context window; null: the client's usual one. */
  readonly contextTokens: number | null;
  /** Characters that the client's own skills take of the list; it lists those whole. */
  readonly reserved: number;
}

/** How one client tells its model which skills there are. */
export interface ListingClient {
  readonly name: string;
  /** Versions that the rule was read from or held against. */
  readonly versions: string | null;
  /** In a sentence or two. */
  readonly rule: string;
  readonly list: (
    skills: readonly InstalledSkill[],
    room: ListingRoom,
  ) => { readonly budget: ListingBudget | null; readonly listed: readonly SkillInList[] };
}

/** Of a skill with so many characters of its description left. */
export function listedWith(
  name: string,
  description: string,
  shown: string | null,
  cut: string,
): SkillInList {
  const of = lengthOf(description);
  const left = shown === null ? 0 : lengthOf(shown);
  const status = shown === null ? "omitted" : left >= of ? "whole" : left === 0 ? "name only" : "shortened";
  return { name, status, shown: left, of, description: shown, reason: status === "whole" ? null : cut };
}

export function notOffered(name: string, description: string, reason: string): SkillInList {
  return { name, status: "not offered", shown: 0, of: lengthOf(description), description: null, reason };
}

/** In characters as clients count them. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}
